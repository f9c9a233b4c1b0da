import { expect, test } from 'vitest'
import { trustedProxies } from '#lib/http/peer'

test.each([
  ['127.0.0.1', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['10.1.2.3', true],
  ['172.20.0.1', true],
  ['192.168.1.1', true],
  ['fd00::7', true],
  ['203.0.113.7', false],
  ['::ffff:203.0.113.7', false],
  ['2001:db8::1', false],
  ['172.32.0.1', false],
  [undefined, false],
  ['', false],
])('%s is believed where nothing is set: %s', (peer, believed) => {
  expect(trustedProxies('')(peer)).toBe(believed)
})

test('only who is named is believed, by address or network', () => {
  const isProxy = trustedProxies('203.0.113.7, 198.51.100.0/24, 2001:db8::/32')
  const believed = ['203.0.113.7', '198.51.100.200', '2001:db8:9::1', '203.0.113.8', '127.0.0.1'].map(isProxy)
  expect(believed).toEqual([true, true, true, false, false])
})

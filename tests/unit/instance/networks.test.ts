import { expect, test } from 'vitest'
import { isNetwork, networksContain } from '#lib/services/instance/networks'

test.each([
  [['203.0.113.7'], '203.0.113.7', true],
  [['203.0.113.7'], '203.0.113.8', false],
  [['198.51.100.0/24'], '198.51.100.200', true],
  [['198.51.100.9/24'], '198.51.100.200', true],
  [['198.51.100.0/24'], '::ffff:198.51.100.200', true],
  [['198.51.100.0/24'], '198.51.100.200:51000', true],
  [['2001:db8::/32'], '2001:db8:9::1', true],
  [['2001:db8::/32'], '[2001:db8:9::1]:443', true],
  [['2001:DB8::/32'], '2001:db9::1', false],
  [['0.0.0.0/0'], '203.0.113.7', true],
  [['0.0.0.0/0'], '2001:db8::1', false],
  [['10.0.0.0/8', '2001:db8::1'], '2001:db8:0::1', true],
  [['10.0.0.0/8'], 'unknown', false],
  [['10.0.0.0/8'], '', false],
  [[], '10.0.0.1', false],
  [['nothing'], '10.0.0.1', false],
])('%o contains %s: %s', (networks, address, isIn) => {
  expect(networksContain(networks)(address)).toBe(isIn)
})

test.each([
  ['10.0.0.1', true],
  ['10.0.0.0/8', true],
  ['::1/128', true],
  ['10.0.0.0/33', false],
  ['10.0.0.0/', false],
  ['10.0.0.0/08', false],
  ['10.0.0.0/8/8', false],
  ['10.0.0/8', false],
  ['fe80::1%eth0', false],
  ['example.com', false],
])('%s is a network: %s', (text, isOne) => {
  expect(isNetwork(text)).toBe(isOne)
})

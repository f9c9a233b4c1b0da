import { expect, test } from 'vitest'
import { networkPlace, networkPlaceLabel } from '#lib/domain/text/network-place'

test.each([
  ['203.0.113.7', '203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:51000', '203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:DB8:0001:0002::6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['[2001:db8::1]:443', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
  ['::1', '0:0:0:0::/64', '0:0:0::/48'],
  ['unknown', 'unknown', 'unknown'],
  ['', 'unknown', 'unknown'],
  ['1::2::3', 'unknown', 'unknown'],
  ['2001:db8', 'unknown', 'unknown'],
])('%s is of %s and %s', (text, address, network) => {
  expect(networkPlace(text)).toEqual({ address, network })
})

test('addresses that one machine may take by itself are one place', () => {
  const of = (tail: string) => networkPlace(`2001:db8:7:1:${tail}`).address
  expect(new Set(['1:2:3:4', 'ffff::', ':1', 'a:b:c:d'].map(of)).size).toBe(1)
})

test.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:85a3::8a2e:370:7334', '2001:db8:85a3::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['unknown', null],
  ['', null],
  [null, null],
])('of the address %s %s is kept', (address, label) => {
  expect(networkPlaceLabel(address)).toBe(label)
})

import { expect, test } from 'vitest'
import { expiryWarning, keyExpiry } from '#lib/domain/calendar/key-expiry'

const NOW = new Date('2026-03-10T22:30:00.000Z')

test.each([
  ['never', 'UTC', null],
  ['30', 'UTC', '2026-04-09T22:30:00.000Z'],
  ['365', 'Asia/Tokyo', '2027-03-10T22:30:00.000Z'],
  // Expires at the end of that day in the owner's time zone, also on a day with a clock change.
  ['2026-03-29', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  ['2026-03-10', 'America/New_York', '2026-03-11T04:00:00.000Z'],
  // In Tokyo it is already the 11th.
  ['2026-03-10', 'Asia/Tokyo', undefined],
  ['2026-02-31', 'UTC', undefined],
  ['2020-01-01', 'UTC', undefined],
  ['31', 'UTC', undefined],
  ['', 'UTC', undefined],
  ['tomorrow', 'UTC', undefined],
])('%s in %s ends %s', (choice, zone, end) => {
  expect(keyExpiry(choice, NOW, zone)).toEqual(end ? new Date(end) : end)
})

test.each([
  ['2026-03-11T22:29:59.000Z', 'expires within a day'],
  ['2026-03-11T22:30:00.000Z', 'expires in 1 day'],
  ['2026-03-16T10:00:00.000Z', 'expires in 5 days'],
  ['2026-03-24T22:29:59.000Z', 'expires in 13 days'],
  ['2026-03-24T22:30:00.000Z', null],
])('a key that ends at %s: %s', (end, words) => {
  expect(expiryWarning(new Date(end), NOW)).toBe(words)
})

import { expect, test } from 'vitest'
import { localDate } from '#components/analytics/results-range'

test.each([
  ['2026-03-02T23:30:00.000Z', 'Europe/Berlin', '2026-03-03'],
  ['2026-03-03T03:30:00.000Z', 'America/New_York', '2026-03-02'],
  ['2026-03-03T12:00:00.000Z', 'UTC', '2026-03-03'],
])('%s is of the day that it is in %s', (at, zone, date) => {
  expect(localDate(at, zone)).toBe(date)
})

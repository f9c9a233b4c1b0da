import { expect, test } from 'vitest'
import { toDayRange } from '#lib/domain/calendar/day-range'

test.each([
  [{}, 'UTC', {}],
  [{ from_day: '2026-11-23' }, 'UTC', { from: '2026-11-23T00:00:00.000Z' }],
  [{ until_day: '2026-11-23' }, 'Asia/Tokyo', { to: '2026-11-23T15:00:00.000Z' }],
  // The clocks go back during the range: 25 hours.
  [
    { from_day: '2026-10-25', until_day: '2026-10-25' },
    'Europe/Berlin',
    { from: '2026-10-24T22:00:00.000Z', to: '2026-10-25T23:00:00.000Z' },
  ],
])('%j in %s are %j', (days, timezone, range) => {
  expect(toDayRange(days, timezone)).toEqual(range)
})

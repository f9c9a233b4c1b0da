import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spanOfDays } from '#lib/domain/calendar/day-span'
import { compileSchedule, SEND_DAYS, windowAt } from '#lib/domain/calendar/schedule'
import { DAY_MS, formatDay, loadZone, toDay } from '#lib/domain/calendar/zoned-time'
import { ALL_ZONES } from '#tests/support/files/zones'

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())
const nights = {
  timezone: 'Europe/Berlin',
  sending_window_start: '22:00',
  sending_window_end: '02:00',
  send_days: [...SEND_DAYS],
}

test('days begin at midnight of the campaign, or when the window of the day before closes', () => {
  const { after, before } = spanOfDays(nights, '2026-03-02', '2026-03-02')
  expect([iso(after), iso(before)]).toEqual(['2026-03-02T01:00:00.000Z', '2026-03-03T01:00:00.000Z'])
  const office = spanOfDays(
    { ...nights, sending_window_start: '09:00', sending_window_end: '17:00' },
    '2026-03-02',
    undefined,
  )
  expect([iso(office.after), office.before]).toEqual(['2026-03-01T23:00:00.000Z', null])
})

test('a day that no calendar of ours holds is an open end, not an error', () => {
  const { after, before } = spanOfDays(nights, '0000-01-01', '9999-12-31')
  expect([iso(after)?.slice(0, 4), iso(before)?.slice(0, 4)]).toEqual(['1970', '3000'])
})

const time = fc.integer({ min: 0, max: 95 }).map((quarter) => {
  const at = new Date(quarter * 900_000).toISOString()
  return at.slice(11, 16)
})

test('an instant lies between the ends of a stretch exactly when its window day does', () => {
  fc.assert(
    fc.property(
      fc.record({
        timezone: fc.constantFrom(...ALL_ZONES),
        sending_window_start: time,
        sending_window_end: time,
        send_days: fc.subarray([...SEND_DAYS], { minLength: 1 }),
      }),
      fc.integer({ min: 20_000, max: 21_500 }),
      fc.nat(3),
      fc.integer({ min: -3 * DAY_MS, max: 6 * DAY_MS }),
      (rules, from, days, offset) => {
        const at = from * DAY_MS + offset
        const day = windowAt(compileSchedule(rules), at)?.day ?? toDay(loadZone(rules.timezone), at)
        const { after, before } = spanOfDays(rules, formatDay(from), formatDay(from + days))
        expect(at >= (after ?? 0) && at < (before ?? 0)).toBe(day >= from && day <= from + days)
      },
    ),
  )
})

import { expect, test } from 'vitest'
import { openingOnce } from '#lib/domain/calendar/open-once'
import {
  compileSchedule,
  nextOpen,
  type ScheduleRules,
  SEND_DAYS,
  upcomingWindow,
  windowAt,
} from '#lib/domain/calendar/schedule'
import { FRESH_PACE, nextSlot } from '#lib/domain/sending/pacing'

const WEEKDAYS: ScheduleRules = {
  timezone: 'Europe/Berlin',
  sending_window_start: '09:00',
  sending_window_end: '17:00',
  send_days: ['mon', 'tue', 'wed', 'thu', 'fri'],
}
const at = (iso: string) => Date.parse(iso)
const words = (instant: number | null) => instant && new Date(instant).toISOString()
/** The rules with the one-time opening that was requested at an instant. */
function opened(rules: ScheduleRules, now: string): ScheduleRules {
  const opening = openingOnce(rules, at(now))
  if (!opening) throw new Error('It is open already.')
  return { ...rules, open_from: new Date(opening.from), open_until: new Date(opening.until) }
}

test.each([
  ['a Sunday', '2026-11-22T10:00:00Z', '2026-11-22T23:00:00.000Z'],
  ['an evening', '2026-11-23T18:30:00Z', '2026-11-23T23:00:00.000Z'],
  ['shortly before midnight, an hour all the same', '2026-11-23T22:40:00Z', '2026-11-23T23:40:00.000Z'],
  ['an early morning, until its own hours begin', '2026-11-23T05:00:00Z', '2026-11-23T08:00:00.000Z'],
])('%s is open for the rest of its day', (_, now, until) => {
  const rules = opened(WEEKDAYS, now)
  expect(rules.open_until).toEqual(new Date(until))
  const schedule = compileSchedule(rules)
  expect(nextOpen(schedule, at(now))).toBe(at(now))
  expect(windowAt(schedule, at(until) - 1)).not.toBeNull()
})

test('afterwards the windows are what they were', () => {
  const sunday = '2026-11-22T10:00:00Z'
  const schedule = compileSchedule(opened(WEEKDAYS, sunday))
  const plain = compileSchedule(WEEKDAYS)
  for (let hour = 13; hour < 24 * 10; hour++) {
    const instant = at(sunday) + hour * 3_600_000
    expect(upcomingWindow(schedule, instant)).toEqual(upcomingWindow(plain, instant))
  }
  // The windows were the same before the opening.
  expect(upcomingWindow(schedule, at('2026-11-20T10:00:00Z'))).toEqual(
    upcomingWindow(plain, at('2026-11-20T10:00:00Z')),
  )
})

test('a campaign that no window ever opens is open once, and closed after that', () => {
  const schedule = compileSchedule(opened({ ...WEEKDAYS, send_days: [] }, '2026-11-22T10:00:00Z'))
  expect(words(nextOpen(schedule, at('2026-11-22T09:00:00Z')))).toBe('2026-11-22T10:00:00.000Z')
  expect(nextOpen(schedule, at('2026-11-22T23:00:00Z'))).toBeNull()
})

test('inside its hours there is nothing to open', () => {
  expect(openingOnce(WEEKDAYS, at('2026-11-23T10:00:00Z'))).toBeNull()
  expect(
    openingOnce(
      { ...WEEKDAYS, sending_window_end: '09:00', send_days: SEND_DAYS },
      at('2026-11-22T10:00:00Z'),
    ),
  ).toBeNull()
})

test('where an edit lets its hours meet the opening, its own hours count', () => {
  const rules = { ...opened(WEEKDAYS, '2026-11-23T18:30:00Z'), sending_window_end: '21:00' }
  const schedule = compileSchedule(rules)
  expect(words(windowAt(schedule, at('2026-11-23T19:00:00Z'))?.closes_at ?? null)).toBe(
    '2026-11-23T20:00:00.000Z',
  )
  expect(words(windowAt(schedule, at('2026-11-23T20:30:00Z'))?.closes_at ?? null)).toBe(
    '2026-11-23T23:00:00.000Z',
  )
})

test('what was sent on that day counts against its limit', () => {
  const now = '2026-11-23T18:30:00Z'
  const rules = {
    ...opened(WEEKDAYS, now),
    campaign_id: '01a20e60-4153-773c-9d77-53f3c06e88df',
    daily_limit: 10,
    min_interval_seconds: 0,
  }
  const sent = (count: number) => ({ ...FRESH_PACE, window_day: '2026-11-23', window_day_count: count })
  expect(words(nextSlot(rules, sent(9), at(now)))).toBe('2026-11-23T18:30:00.000Z')
  expect(words(nextSlot(rules, sent(10), at(now)))).toBe('2026-11-24T08:00:00.000Z')
})

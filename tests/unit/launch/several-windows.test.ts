import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  compileSchedule,
  nextOpen,
  type ScheduleRules,
  SEND_DAYS,
  windowAt,
} from '#lib/domain/calendar/schedule'
import { settleSchedule, windowProblems } from '#lib/domain/calendar/sending-windows'
import { DAY_MS, formatDay, loadZone, toDay, toLocal } from '#lib/domain/calendar/zoned-time'
import { FROM, NASTY_ZONES, transitionsOf } from '#tests/support/files/zones'

const QUARTER_MS = 15 * 60_000
const rules = (timezone: string, ...windows: [string, string][]): ScheduleRules => ({
  timezone,
  sending_window_start: windows[0]?.[0] ?? '09:00',
  sending_window_end: windows.at(-1)?.[1] ?? '17:00',
  sending_windows: windows.map(([start, end]) => ({ start, end })),
  send_days: [...SEND_DAYS],
})

describe('a day of several windows', () => {
  const schedule = compileSchedule(rules('UTC', ['09:00', '11:30'], ['14:00', '17:00']))
  test.each([
    ['before the first', '2026-06-03T08:00:00Z', '2026-06-03T09:00:00Z'],
    ['inside the first', '2026-06-03T11:29:59Z', '2026-06-03T11:29:59Z'],
    ['between them', '2026-06-03T11:30:00Z', '2026-06-03T14:00:00Z'],
    ['inside the last', '2026-06-03T16:00:00Z', '2026-06-03T16:00:00Z'],
    ['after the last', '2026-06-03T17:00:00Z', '2026-06-04T09:00:00Z'],
  ])('%s', (_name, at, open) => {
    expect(nextOpen(schedule, Date.parse(at))).toBe(Date.parse(open))
  })

  test('all of them belong to one window day', () => {
    const days = ['2026-06-03T10:00:00Z', '2026-06-03T15:00:00Z'].map((at) =>
      windowAt(schedule, Date.parse(at)),
    )
    expect(days.map((window) => window && formatDay(window.day))).toEqual(['2026-06-03', '2026-06-03'])
  })

  test.each([
    ['one inside the gap is empty', '2026-03-08T06:50:00Z', '2026-03-08T08:00:00Z'],
    ['when clocks go back the later one takes over', '2026-11-01T05:45:00Z', '2026-11-01T05:45:00Z'],
  ])('%s', (_name, at, open) => {
    const odd = compileSchedule(
      rules(
        'America/New_York',
        ['00:30', '01:30'],
        ['01:45', '01:50'],
        ['02:10', '02:40'],
        ['04:00', '05:00'],
      ),
    )
    expect(nextOpen(odd, Date.parse(at))).toBe(Date.parse(open))
  })
})

/** Two to four windows on quarter hours, in order and without overlap. */
const windowsOfQuarters = fc
  .uniqueArray(fc.integer({ min: 0, max: 95 }), { minLength: 4, maxLength: 8 })
  .map((borders) => borders.toSorted((a, b) => a - b).slice(0, borders.length - (borders.length % 2)))
const clock = (quarter: number) => new Date(quarter * QUARTER_MS).toISOString().slice(11, 16)

test('windows are open by the wall clock, each instant in at most one, around every change of clocks', () => {
  fc.assert(
    fc.property(fc.constantFrom(...NASTY_ZONES), fc.nat(), windowsOfQuarters, (timezone, pick, borders) => {
      const zone = loadZone(timezone)
      const transitions = transitionsOf(timezone)
      const around = transitions[pick % Math.max(1, transitions.length)] ?? FROM
      const windows = borders.flatMap((start, index) =>
        index % 2 === 0 ? [[clock(start), clock(borders[index + 1] ?? 0)] as [string, string]] : [],
      )
      const schedule = compileSchedule(rules(timezone, ...windows))
      for (let at = around - 2 * DAY_MS; at <= around + 2 * DAY_MS; at += QUARTER_MS) {
        const quarter = Math.floor((((toLocal(zone, at) % DAY_MS) + DAY_MS) % DAY_MS) / QUARTER_MS)
        const byClock = borders.some(
          (start, index) => index % 2 === 0 && quarter >= start && quarter < (borders[index + 1] ?? 0),
        )
        const window = windowAt(schedule, at)
        // In an hour that occurs twice a window stays open from its first opening to its second closing.
        if (Math.abs(at - around) > 4 * 3_600_000 && toDay(zone, at) !== toDay(zone, around))
          expect(window !== null, new Date(at).toISOString()).toBe(byClock)
        if (byClock) expect(window, new Date(at).toISOString()).not.toBeNull()
        if (window) expect(window.opens_at <= at && at < window.closes_at).toBe(true)
      }
    }),
    { numRuns: 300 },
  )
})

describe('one form for each schedule', () => {
  const several = [
    { start: '09:00:00', end: '11:30:00' },
    { start: '14:00:00', end: '17:00:00' },
  ]
  test.each([
    ['nothing of it is set', {}, {}],
    [
      'a start alone',
      { sending_window_start: '08:00:00' },
      { sending_window_start: '08:00:00', sending_windows: null },
    ],
    [
      'several',
      { sending_windows: several },
      { sending_windows: several, sending_window_start: '09:00:00', sending_window_end: '17:00:00' },
    ],
    ['none', { sending_windows: null }, { sending_windows: null }],
  ])('%s', (_name, fields, expected) => {
    expect(settleSchedule(fields)).toEqual(expected)
  })

  test('windows in order and apart have no problem', () => {
    expect(windowProblems(several)).toEqual([])
  })
})

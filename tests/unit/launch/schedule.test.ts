import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  compileSchedule,
  nextOpen,
  type ScheduleRules,
  SEND_DAYS,
  upcomingWindow,
  windowAt,
} from '#lib/domain/calendar/schedule'
import { DAY_MS, formatDay, loadZone, toDay, toLocal, toWeekday } from '#lib/domain/calendar/zoned-time'
import { ALL_ZONES, FROM, transitionsOf, UNTIL } from '#tests/support/files/zones'

const MINUTE = 60_000
const iso = (at: number) => new Date(at).toISOString().replace('.000Z', 'Z')
const rules = (timezone: string, start: string, end: string, send_days = [...SEND_DAYS]): ScheduleRules => ({
  timezone,
  sending_window_start: start,
  sending_window_end: end,
  send_days,
})

/** "2026-03-08: 07:00Z to 21:00Z": the window that contains or follows an instant. */
function windowFrom(schedule: ScheduleRules, at: string) {
  const window = upcomingWindow(compileSchedule(schedule), Date.parse(at))
  return window && [formatDay(window.day), iso(window.opens_at), iso(window.closes_at)]
}

describe('the window of a nasty day', () => {
  test.each([
    [
      'opens in the gap',
      rules('America/New_York', '02:30', '17:00'),
      '2026-03-08T05:00:00Z',
      '2026-03-08',
      '2026-03-08T07:00:00Z',
      '2026-03-08T21:00:00Z',
    ],
    [
      'closes in the gap',
      rules('America/New_York', '00:30', '02:30'),
      '2026-03-08T05:00:00Z',
      '2026-03-08',
      '2026-03-08T05:30:00Z',
      '2026-03-08T07:00:00Z',
    ],
    [
      'inside the gap: none that day',
      rules('America/New_York', '02:15', '02:45'),
      '2026-03-08T05:00:00Z',
      '2026-03-09',
      '2026-03-09T06:15:00Z',
      '2026-03-09T06:45:00Z',
    ],
    [
      'opens in the overlap: its first',
      rules('America/New_York', '01:30', '17:00'),
      '2026-11-01T04:00:00Z',
      '2026-11-01',
      '2026-11-01T05:30:00Z',
      '2026-11-01T22:00:00Z',
    ],
    [
      'closes in the overlap: its second',
      rules('America/New_York', '00:00', '01:30'),
      '2026-11-01T04:00:00Z',
      '2026-11-01',
      '2026-11-01T04:00:00Z',
      '2026-11-01T06:30:00Z',
    ],
    [
      'inside the overlap: both comings',
      rules('Europe/Berlin', '02:00', '03:00'),
      '2026-10-24T12:00:00Z',
      '2026-10-25',
      '2026-10-25T00:00:00Z',
      '2026-10-25T02:00:00Z',
    ],
    [
      'crosses midnight into a gap',
      rules('Europe/Berlin', '22:00', '02:30'),
      '2026-03-28T20:00:00Z',
      '2026-03-28',
      '2026-03-28T21:00:00Z',
      '2026-03-29T01:00:00Z',
    ],
    [
      'crosses midnight into an overlap',
      rules('Europe/Berlin', '22:00', '02:30'),
      '2026-10-24T18:00:00Z',
      '2026-10-24',
      '2026-10-24T20:00:00Z',
      '2026-10-25T01:30:00Z',
    ],
    [
      'half an hour longer',
      rules('Australia/Lord_Howe', '01:00', '03:00'),
      '2026-04-04T12:00:00Z',
      '2026-04-05',
      '2026-04-04T14:00:00Z',
      '2026-04-04T16:30:00Z',
    ],
    [
      'half an hour shorter',
      rules('Australia/Lord_Howe', '01:00', '03:00'),
      '2026-10-03T12:00:00Z',
      '2026-10-04',
      '2026-10-03T14:30:00Z',
      '2026-10-03T16:00:00Z',
    ],
    [
      'a date without midnight, whole',
      rules('Africa/Cairo', '00:00', '00:00'),
      '2024-04-25T22:00:00Z',
      '2024-04-26',
      '2024-04-25T22:00:00Z',
      '2024-04-26T21:00:00Z',
    ],
    [
      'the date before a missing midnight',
      rules('Asia/Beirut', '20:00', '00:00'),
      '2024-03-30T12:00:00Z',
      '2024-03-30',
      '2024-03-30T18:00:00Z',
      '2024-03-30T22:00:00Z',
    ],
    [
      'a date with two midnights, whole',
      rules('America/Havana', '00:00', '00:00'),
      '2026-11-01T04:00:00Z',
      '2026-11-01',
      '2026-11-01T04:00:00Z',
      '2026-11-02T05:00:00Z',
    ],
    [
      'the date before two midnights, whole',
      rules('America/Havana', '09:00', '09:00'),
      '2026-10-31T12:00:00Z',
      '2026-10-31',
      '2026-10-31T04:00:00Z',
      '2026-11-01T04:00:00Z',
    ],
    [
      '23:00 twice, on the same date',
      rules('America/Asuncion', '22:00', '23:30'),
      '2023-03-25T20:00:00Z',
      '2023-03-25',
      '2023-03-26T01:00:00Z',
      '2023-03-26T03:30:00Z',
    ],
    [
      'Juba moves west for good',
      rules('Africa/Juba', '09:00', '23:30'),
      '2021-01-31T05:00:00Z',
      '2021-01-31',
      '2021-01-31T06:00:00Z',
      '2021-01-31T21:30:00Z',
    ],
    [
      'Ramadan shifts Casablanca',
      rules('Africa/Casablanca', '09:00', '17:00'),
      '2023-03-19T05:00:00Z',
      '2023-03-19',
      '2023-03-19T09:00:00Z',
      '2023-03-19T17:00:00Z',
    ],
    [
      'the last day with summer time in Tehran',
      rules('Asia/Tehran', '22:00', '00:30'),
      '2022-09-21T12:00:00Z',
      '2022-09-21',
      '2022-09-21T17:30:00Z',
      '2022-09-21T21:00:00Z',
    ],
    [
      'a date that never was has no window',
      rules('Pacific/Apia', '09:00', '17:00'),
      '2011-12-30T10:00:00Z',
      '2011-12-31',
      '2011-12-30T19:00:00Z',
      '2011-12-31T03:00:00Z',
    ],
  ])('%s', (_name, schedule, at, ...expected) => {
    expect(windowFrom(schedule, at)).toEqual(expected)
  })
})

describe('window days', () => {
  const night = compileSchedule(rules('Europe/Berlin', '22:00', '06:00', ['fri']))

  test('an instant after midnight belongs to the day its window opened', () => {
    const window = windowAt(night, Date.parse('2026-06-06T01:00:00Z'))
    expect(window && formatDay(window.day)).toBe('2026-06-05')
  })

  test('the evening of a day that does not send is closed', () => {
    expect(windowAt(night, Date.parse('2026-06-06T21:00:00Z'))).toBeNull()
  })

  test('the opening instant is inside, the closing one is not', () => {
    const day = compileSchedule(rules('UTC', '09:00:00', '17:00:30'))
    expect(windowAt(day, Date.parse('2026-06-03T09:00:00.000Z'))).not.toBeNull()
    expect(windowAt(day, Date.parse('2026-06-03T08:59:59.999Z'))).toBeNull()
    expect(windowAt(day, Date.parse('2026-06-03T17:00:29.999Z'))).not.toBeNull()
    expect(windowAt(day, Date.parse('2026-06-03T17:00:30.000Z'))).toBeNull()
  })

  test('where two windows would meet in an overlap, the one that opened last has the instant', () => {
    const schedule = compileSchedule(rules('America/New_York', '01:45', '01:15'))
    const before = windowAt(schedule, Date.parse('2026-11-01T05:00:00Z'))
    const after = windowAt(schedule, Date.parse('2026-11-01T05:45:00Z'))
    expect([before, after].map((window) => window && formatDay(window.day))).toEqual([
      '2026-10-31',
      '2026-11-01',
    ])
  })

  test('without send days nothing ever opens', () => {
    expect(nextOpen(compileSchedule(rules('UTC', '09:00', '17:00', [])), FROM)).toBeNull()
  })
})

const quarter = fc
  .integer({ min: 0, max: 95 })
  .map((n) => `${String(n >> 2).padStart(2, '0')}:${String((n & 3) * 15).padStart(2, '0')}`)
const sendDays = fc.subarray([...SEND_DAYS], { minLength: 1 })
const boundary = (text: string) => (Number(text.slice(0, 2)) * 60 + Number(text.slice(3))) * MINUTE

/**
 * The same rule computed by walking a grid of quarter hours (every offset in these years is a multiple of one):
 * a window is open from the first instant whose wall clock has reached its start until the last at which it shows its end,
 * or, where the end is skipped, the last before it. A whole-day window: every instant of that date.
 */
function openByWalking(schedule: ScheduleRules, around: number): Map<number, number | null> {
  const zone = loadZone(schedule.timezone)
  const start = boundary(schedule.sending_window_start)
  const end = boundary(schedule.sending_window_end)
  const grid: { at: number; local: number }[] = []
  for (let at = around - 4 * DAY_MS; at <= around + 4 * DAY_MS; at += 15 * MINUTE) {
    grid.push({ at, local: toLocal(zone, at) })
  }
  const open = new Map<number, number | null>()
  const day = toDay(zone, around)
  for (let d = day - 3; d <= day + 2; d++) {
    if (!schedule.send_days.includes(SEND_DAYS[toWeekday(d)] ?? 'mon')) continue
    if (start === end) {
      for (const { at, local } of grid) if (Math.floor(local / DAY_MS) === d) open.set(at, d)
      continue
    }
    const closes = d * DAY_MS + (end > start ? end : DAY_MS + end)
    const first = grid.findIndex(({ local }) => local >= d * DAY_MS + start)
    const last = grid.findLastIndex(({ local }) => local <= closes)
    for (const { at, local } of grid.slice(first, last + 1)) {
      if (at !== grid[last]?.at || local < closes) open.set(at, d)
    }
  }
  return open
}

test('windows equal the rule walked by quarter hours, around every transition of every zone', {
  timeout: 60_000,
}, () => {
  const zones = ALL_ZONES.filter((timezone) => transitionsOf(timezone).length > 0)
  let compared = 0
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.nat(),
      quarter,
      quarter,
      sendDays,
      (timezone, pick, start, end, days) => {
        const transitions = transitionsOf(timezone)
        const around = transitions[pick % transitions.length] ?? FROM
        const schedule = rules(timezone, start, end, days)
        const walked = openByWalking(schedule, around)
        const compiled = compileSchedule(schedule)
        for (let at = around - 2 * DAY_MS; at <= around + 2 * DAY_MS; at += 15 * MINUTE) {
          const window = windowAt(compiled, at)
          if ((window?.day ?? null) !== (walked.get(at) ?? null)) {
            expect.fail(`${iso(at)}: ${window?.day ?? null}, walked ${walked.get(at) ?? null}`)
          }
          compared++
        }
      },
    ),
    { numRuns: 1_500 },
  )
  expect(compared).toBeGreaterThan(500_000)
})

test('the next open instant is in a window, not before, not later than need be, and its own answer', () => {
  const anyZone = fc.constantFrom(...ALL_ZONES)
  fc.assert(
    fc.property(
      anyZone,
      fc.integer({ min: FROM, max: UNTIL }),
      quarter,
      quarter,
      sendDays,
      (timezone, at, start, end, days) => {
        const schedule = compileSchedule(rules(timezone, start, end, days))
        const open = nextOpen(schedule, at) ?? Number.NaN
        expect(open).toBeGreaterThanOrEqual(at)
        expect(windowAt(schedule, open)).not.toBeNull()
        expect(nextOpen(schedule, open)).toBe(open)
        if (open > at) expect(windowAt(schedule, open - 1)).toBeNull()
        const between = at + Math.floor((open - at) / 2)
        expect(nextOpen(schedule, between)).toBe(open)
      },
    ),
    { numRuns: 2_000 },
  )
})

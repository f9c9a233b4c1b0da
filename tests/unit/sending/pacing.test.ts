import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileSchedule, SEND_DAYS, windowAt } from '#lib/domain/calendar/schedule'
import { DAY_MS, formatDay } from '#lib/domain/calendar/zoned-time'
import {
  compilePace,
  FRESH_PACE,
  nextSlot,
  noWaits,
  type PaceRules,
  slotAt,
  takeSlot,
  toPaceState,
} from '#lib/domain/sending/pacing'
import { ALL_ZONES, FROM, UNTIL } from '#tests/support/files/zones'

const rules = (over: Partial<PaceRules> = {}): PaceRules => ({
  campaign_id: '0197c1de-5a3b-7c43-9f00-2d6d2f1c5a11',
  timezone: 'UTC',
  sending_window_start: '09:00:00',
  sending_window_end: '17:00:00',
  send_days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  daily_limit: 3,
  min_interval_seconds: 60,
  ...over,
})
const at = (text: string) => Date.parse(`2026-06-${text}Z`)
const iso = (instant: number | null) => (instant === null ? null : new Date(instant).toISOString())

/** The state on a Wednesday on which `count` actions were sent, the last of them at `time`. */
const sent = (count: number, time: string) => ({
  last_action: { at: at(`03T${time}`), lead_index: 0, step: 1 },
  window_day: '2026-06-03',
  window_day_count: count,
})

describe('the next slot', () => {
  test.each([
    {
      name: 'is now, inside the window',
      state: FRESH_PACE,
      after: at('03T10:00:00'),
      expected: at('03T10:00:00'),
    },
    {
      name: 'waits for the window',
      state: FRESH_PACE,
      after: at('03T08:00:00'),
      expected: at('03T09:00:00'),
    },
    { name: 'skips the weekend', state: FRESH_PACE, after: at('05T17:00:00'), expected: at('08T09:00:00') },
    {
      name: 'spends the last of the limit',
      state: sent(2, '10:00:00'),
      after: at('03T12:00:00'),
      expected: at('03T12:00:00'),
    },
    {
      name: 'waits a day when it is spent',
      state: sent(3, '10:00:00'),
      after: at('03T12:00:00'),
      expected: at('04T09:00:00'),
    },
    {
      name: 'has a new limit the next day',
      state: sent(3, '10:00:00'),
      after: at('04T11:00:00'),
      expected: at('04T11:00:00'),
    },
    {
      name: 'is not made up once missed',
      state: sent(1, '10:00:00'),
      after: at('03T16:00:00'),
      expected: at('03T16:00:00'),
    },
  ])('$name', ({ state, after, expected }) => {
    expect(iso(nextSlot(rules(), state, after))).toBe(iso(expected))
  })

  test.each([
    { name: 'no send days', over: { send_days: [] } },
    { name: 'a limit of 0', over: { daily_limit: 0 } },
  ])('never comes: $name', ({ over }) => {
    expect(nextSlot(rules(over), FRESH_PACE, at('03T10:00:00'))).toBeNull()
  })

  test('keeps the interval and up to a fifth of it, differently after different actions', () => {
    const gaps = Array.from({ length: 500 }, (_, lead_index) => {
      const last_action = { at: at('03T10:00:00'), lead_index, step: 1 }
      return (nextSlot(rules(), { ...FRESH_PACE, last_action }, at('03T10:00:00')) ?? 0) - at('03T10:00:00')
    })
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(60_000)
    expect(Math.max(...gaps)).toBeLessThan(72_000)
    expect(Math.max(...gaps) - Math.min(...gaps)).toBeGreaterThan(11_000)
    expect(new Set(gaps).size).toBeGreaterThan(450)
  })

  test('is drawn from the lead and the step of the action before it', () => {
    const slotAfter = (lead_index: number, step: number) => {
      const pace = compilePace(rules(), FRESH_PACE)
      takeSlot(pace, at('03T10:00:00'), lead_index, step)
      return slotAt(pace, at('03T10:00:00'))
    }
    expect(new Set([slotAfter(1, 1), slotAfter(1, 2), slotAfter(2, 1), slotAfter(2, 2)]).size).toBe(4)
  })

  test('is the same instant with an interval of 0, until the limit', () => {
    const pace = compilePace(rules({ min_interval_seconds: 0 }), FRESH_PACE)
    const slots = [0, 1, 2, 3].map((lead) => {
      const slot = slotAt(pace, at('03T10:00:00')) ?? Number.NaN
      takeSlot(pace, slot, lead, 1)
      return iso(slot)
    })
    expect(slots).toEqual([...Array(3).fill(iso(at('03T10:00:00'))), iso(at('04T09:00:00'))])
  })

  test('a window that crosses midnight has one limit for both dates', () => {
    const night = rules({
      sending_window_start: '22:00',
      sending_window_end: '04:00',
      min_interval_seconds: 0,
    })
    const state = { last_action: null, window_day: '2026-06-03', window_day_count: 3 }
    expect(iso(nextSlot(night, state, at('04T01:00:00')))).toBe(iso(at('04T22:00:00')))
  })

  test('moving the timezone west frees no quota that was used', () => {
    const state = { last_action: null, window_day: '2026-06-04', window_day_count: 3 }
    const west = rules({ timezone: 'Pacific/Honolulu' })
    expect(iso(nextSlot(west, state, at('03T20:00:00')))).toBe(iso(at('05T19:00:00')))
  })
})

test('the waiting is charged to the rule that made it', () => {
  const charge = (state: typeof FRESH_PACE, after: number) => {
    const waits = noWaits()
    slotAt(compilePace(rules(), state), after, waits)
    return Object.fromEntries(Object.entries(waits).filter(([, wait]) => wait > 0))
  }
  const hour = 3_600_000
  expect(charge(FRESH_PACE, at('03T08:00:00'))).toEqual({ window: hour })
  expect(charge(FRESH_PACE, at('05T17:00:00'))).toEqual({ send_days: 64 * hour })
  const spent = charge(sent(3, '12:00:00'), at('03T12:00:00'))
  expect(Object.keys(spent)).toEqual(['min_interval', 'daily_limit'])
  expect((spent.min_interval ?? 0) + (spent.daily_limit ?? 0)).toBe(21 * hour)
})

const anyRules = fc
  .record({
    timezone: fc.constantFrom(...ALL_ZONES),
    sending_window_start: fc.integer({ min: 0, max: 1439 }),
    sending_window_end: fc.integer({ min: 0, max: 1439 }),
    send_days: fc.subarray([...SEND_DAYS], { minLength: 1 }),
    daily_limit: fc.integer({ min: 1, max: 5 }),
    min_interval_seconds: fc.constantFrom(0, 1, 60, 3_600, 30_000, 86_400),
  })
  .map((any) => {
    const clock = (minutes: number) => new Date(minutes * 60_000).toISOString().slice(11, 19)
    const { sending_window_start: start, sending_window_end: end } = any
    return rules({ ...any, sending_window_start: clock(start), sending_window_end: clock(end) })
  })

test('any campaign in any zone: in window, under the limit, interval kept, and stored state says the same', () => {
  fc.assert(
    fc.property(anyRules, fc.integer({ min: FROM, max: UNTIL }), (policy, start) => {
      const pace = compilePace(policy, FRESH_PACE)
      const schedule = compileSchedule(policy)
      const perDay = new Map<string, number>()
      let previous = Number.NEGATIVE_INFINITY
      let after = start
      for (let lead = 0; lead < 12; lead++) {
        const slot = slotAt(pace, after) ?? Number.NaN
        expect(slot).toBeGreaterThanOrEqual(after)
        expect(slot - previous).toBeGreaterThanOrEqual(policy.min_interval_seconds * 1_000)
        expect(slotAt(pace, slot)).toBe(slot)
        expect(nextSlot(policy, toPaceState(pace), after)).toBe(slot)
        const day = formatDay(windowAt(schedule, slot)?.day ?? Number.NaN)
        perDay.set(day, (perDay.get(day) ?? 0) + 1)
        expect(perDay.get(day)).toBeLessThanOrEqual(policy.daily_limit)
        takeSlot(pace, slot, lead, 1)
        previous = slot
        after = slot
      }
    }),
    { numRuns: 500 },
  )
})

test('asking later never gives an earlier slot', () => {
  const later = fc.integer({ min: 0, max: 5 * DAY_MS })
  fc.assert(
    fc.property(
      anyRules,
      fc.integer({ min: FROM, max: UNTIL }),
      later,
      fc.nat(5),
      (policy, start, wait, count) => {
        const last_action = { at: start - 1_000, lead_index: count, step: 1 }
        const state = {
          last_action,
          window_day: formatDay(Math.floor(start / DAY_MS)),
          window_day_count: count,
        }
        const now = nextSlot(policy, state, start) ?? Number.NaN
        expect(nextSlot(policy, state, start + wait)).toBeGreaterThanOrEqual(now)
        if (start + wait <= now) expect(nextSlot(policy, state, start + wait)).toBe(now)
      },
    ),
    { numRuns: 2_000 },
  )
})

import {
  countingSchedule,
  isSendDay,
  type Schedule,
  type ScheduleRules,
  upcomingWindow,
  type Window,
  windowsOfDay,
} from '#lib/domain/calendar/schedule'
import { formatDay, parseDay, SECOND_MS, toDay } from '#lib/domain/calendar/zoned-time'
import { actionFraction, campaignSeed } from '#lib/domain/sending/action-hash'

export interface PaceRules extends ScheduleRules {
  campaign_id: string
  /** Most actions per window day, counted in the campaign's timezone. */
  daily_limit: number
  min_interval_seconds: number
}

/** The part of a campaign's past that its next slot depends on. Instants are epoch milliseconds. */
export interface PaceState {
  last_action: { at: number; lead_index: number; step: number } | null
  /** The local date ("2026-03-29") whose window the last action was in, and how many actions that day has had. */
  window_day: string | null
  window_day_count: number
}

export const FRESH_PACE: PaceState = { last_action: null, window_day: null, window_day_count: 0 }

/** Which rule makes an action wait. */
export const HOLDS = ['min_interval', 'window', 'send_days', 'daily_limit', 'sender_limit', 'delay'] as const
export type Hold = (typeof HOLDS)[number]

/** Milliseconds of delay caused by each rule. */
export type Waits = Record<Hold, number>
export const noWaits = (): Waits => ({
  min_interval: 0,
  window: 0,
  send_days: 0,
  daily_limit: 0,
  sender_limit: 0,
  delay: 0,
})

/** The jitter is at most this share of the interval. */
const JITTER = 0.2

/** Rules and state in the form the loops work on; `toPaceState` converts the state back. */
export interface Pace {
  readonly schedule: Schedule
  readonly seed: number
  readonly daily_limit: number
  readonly interval_ms: number
  /** When the last action was; NaN if there was none. A plain field: an object per action would dominate the cost of a long forecast. */
  last_at: number
  last_lead: number
  last_step: number
  /** The earliest instant that interval and jitter allow; −Infinity before the first action. */
  ready_at: number
  day: number
  day_count: number
}

export function compilePace(rules: PaceRules, state: PaceState): Pace {
  const pace: Pace = {
    schedule: countingSchedule(rules),
    seed: campaignSeed(rules.campaign_id),
    daily_limit: rules.daily_limit,
    interval_ms: rules.min_interval_seconds * SECOND_MS,
    last_at: state.last_action?.at ?? Number.NaN,
    last_lead: state.last_action?.lead_index ?? Number.NaN,
    last_step: state.last_action?.step ?? Number.NaN,
    ready_at: Number.NEGATIVE_INFINITY,
    day: state.window_day === null ? Number.NEGATIVE_INFINITY : parseDay(state.window_day),
    day_count: state.window_day_count,
  }
  if (state.last_action) pace.ready_at = readyAfter(pace)
  return pace
}

export function toPaceState(pace: Pace): PaceState {
  const { last_at: at, last_lead: lead_index, last_step: step } = pace
  return {
    last_action: Number.isNaN(at) ? null : { at, lead_index, step },
    window_day: Number.isFinite(pace.day) ? formatDay(pace.day) : null,
    window_day_count: pace.day_count,
  }
}

/**
 * The first instant at or after `after` at which the campaign may act: inside a window of a send day, below that window day's limit,
 * and one interval after the previous action. Null if that never comes. If leads follow their own clocks, their windows are checked
 * when the lead is chosen, and a window day is a local date of the campaign.
 *
 * The jitter is a hash of the *previous* action, so the slot is known before it is known who takes it. Missed slots are not made up:
 * the result is never before `after`. `waits`, if given, is increased by the delay each rule caused.
 */
export function slotAt(pace: Pace, after: number, waits?: Waits): number | null {
  let at = after
  if (pace.ready_at > at) {
    if (waits) waits.min_interval += pace.ready_at - at
    at = pace.ready_at
  }
  for (;;) {
    const window = upcomingWindow(pace.schedule, at)
    if (!window || pace.daily_limit <= 0) return null
    if (window.opens_at > at) {
      if (waits) waits[closedBy(pace.schedule, at)] += window.opens_at - at
      at = window.opens_at
    }
    if (!isSpent(pace, window)) return at
    const next = upcomingWindow(pace.schedule, window.closes_at)
    if (!next) return null
    if (waits) waits.daily_limit += next.opens_at - at
    at = next.opens_at
  }
}

/** `slotAt` for a single question, with rules and state as they are stored. */
export function nextSlot(rules: PaceRules, state: PaceState, after: number): number | null {
  return slotAt(compilePace(rules, state), after)
}

/** Counts an action that takes the slot `at`, which must come from `slotAt`. */
export function takeSlot(pace: Pace, at: number, leadIndex: number, step: number): void {
  const day = upcomingWindow(pace.schedule, at)?.day ?? pace.day
  pace.day_count = day <= pace.day ? pace.day_count + 1 : 1
  pace.day = Math.max(day, pace.day)
  pace.last_at = at
  pace.last_lead = leadIndex
  pace.last_step = step
  pace.ready_at = readyAfter(pace)
}

function readyAfter({ seed, interval_ms, last_at, last_lead, last_step }: Pace): number {
  if (interval_ms === 0) return last_at
  const fraction = actionFraction(seed, 'jitter', last_lead, last_step)
  return last_at + interval_ms + Math.floor(interval_ms * JITTER * fraction)
}

/**
 * A day before the counted one (the owner moved the timezone west) shares its count, so editing the timezone
 * frees no quota.
 */
function isSpent(pace: Pace, window: Window): boolean {
  return window.day <= pace.day && pace.day_count >= pace.daily_limit
}

/** Whether the next window is merely later, or falls on a day without sending. */
export function closedBy(schedule: Schedule, at: number): 'window' | 'send_days' {
  return isSendDay(schedule, nextWindowDay(schedule, at)) ? 'window' : 'send_days'
}

/** The day of the next window, whether or not it is a send day. */
export function nextWindowDay(schedule: Schedule, at: number): number {
  const today = toDay(schedule.zone, at)
  for (let day = today - 1; day <= today + 1; day++) {
    const isAhead = windowsOfDay(schedule, day).some(
      (window) => window.closes_at > at && window.closes_at > window.opens_at,
    )
    if (isAhead) return day
  }
  return today
}

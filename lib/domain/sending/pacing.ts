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
  /** Most actions of one window day, counted in the campaign's timezone. */
  daily_limit: number
  min_interval_seconds: number
}

/** What a campaign has done so far, as far as its next slot depends on it. Instants are epoch milliseconds. */
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

/** Milliseconds that each rule held things up. */
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

/** Rules and state in the form that the loops work on; `toPaceState` gives the state back. */
export interface Pace {
  readonly schedule: Schedule
  readonly seed: number
  readonly daily_limit: number
  readonly interval_ms: number
  /** When the last action was; NaN: there was none. Apart, since an object for each of half a million would cost more than the rest. */
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
 * The first instant at or after `after` at which the campaign itself may act: inside a window of a send day, below the
 * daily limit of that window day, and the interval after its previous action. Null when that never comes. Where leads keep
 * their own clocks, their windows are asked when it is chosen who goes, and a window day is a local date of the campaign.
 *
 * The jitter comes from the hash of the *previous* action, so the slot is known before it is known who takes it (which
 * depends on who is due by then). A slot that was missed is not made up: the answer is never before `after`.
 * `waits`, when given, is charged with the time that each rule took.
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

/** The same for one question: what `slotAt` says of rules and state as they are stored. */
export function nextSlot(rules: PaceRules, state: PaceState, after: number): number | null {
  return slotAt(compilePace(rules, state), after)
}

/** Counts an action that takes the slot `at`, which must be an answer of `slotAt`. */
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

/** A day before the counted one (the owner moved the timezone west) shares its count, so an edit frees no quota. */
function isSpent(pace: Pace, window: Window): boolean {
  return window.day <= pace.day && pace.day_count >= pace.daily_limit
}

/** Whether the next window by the clock is merely later, or falls on a day that does not send. */
export function closedBy(schedule: Schedule, at: number): 'window' | 'send_days' {
  return isSendDay(schedule, nextWindowDay(schedule, at)) ? 'window' : 'send_days'
}

/** The day of the next window by the clock, whether it sends or not. */
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

import { parseDay, SECOND_MS, startOfDay, toDay, type Zone } from '#lib/domain/calendar/zoned-time'
import type { Channel } from '#lib/domain/campaigns/step-conditions'
import type { SenderFailure } from '#lib/domain/sending/sender-failures'

/** A mailbox or a connected account, with the limits that apply to it across all campaigns of its owner. */
export interface Sender {
  sender_id: string
  channel: Channel
  /** Most actions of any kind per local date in the owner's timezone; null: unlimited. */
  daily_limit: number | null
  min_interval_seconds: number
  /** The limit begins at `start` and rises each date until it reaches `daily_limit`. */
  ramp_up: { start: number; increase_per_day: number } | null
  /** The instant on whose local date the ramp begins. */
  ramp_up_started_at: number | null
  /** Why a mailbox that ramps up by health does not rise today, in words. */
  held_back?: string | null
  /** Caps per action type; `week` counts any seven local dates in a row. Absent: none. */
  action_limits: Readonly<Record<string, { day: number | null; week: number | null }>>
  last_action_at: number | null
  /** Its network asked it to pause until then. */
  not_before?: number | null
  /** The sender cannot send before its next try. Absent or null: it can, as far as is known. */
  failing?: SenderFailure | null
  /**
   * While a failing sender is probed with one action at a time: how long to wait before the next probe if the
   * outcome of the last one is never reported.
   */
  retry_ms?: number | null
  /** Actions on today's date and the six local dates before it, over all campaigns. */
  used: readonly { date: string; action_type: string; count: number }[]
}

const WEEK = 7
const NO_CAP = Number.POSITIVE_INFINITY
/** How many days ahead to look for room. A ramp that starts at 0 opens within this many days or never. */
const SEARCH_DAYS = 400

/** A sender in the form the loops count on. `action` below is an index into the campaign's action types. */
export interface Meter {
  readonly sender_id: string
  readonly channel: Channel
  readonly zone: Zone
  readonly interval_ms: number
  readonly ceiling: number
  readonly ramp: { start: number; increase_per_day: number; day: number } | null
  readonly caps: readonly { day: number; week: number }[]
  last_at: number
  /** Number of actions so far. Campaigns that share the sender compare it to notice each other's use. */
  uses: number
  readonly retry_ms: number | null
  readonly failing: SenderFailure | null
  readonly held_back: string | null
  not_before: number
  /**
   * The latest date counted. In `counts`, row 0 counts all actions and row 1 + action one action type; the
   * columns are dates.
   */
  day: number
  readonly counts: Int32Array
}

export function createMeter(sender: Sender, actionTypes: readonly string[], zone: Zone): Meter {
  const days = sender.used.map(({ date }) => parseDay(date))
  const meter: Meter = {
    sender_id: sender.sender_id,
    channel: sender.channel,
    zone,
    interval_ms: sender.min_interval_seconds * SECOND_MS,
    ceiling: sender.daily_limit ?? NO_CAP,
    ramp: sender.ramp_up && { ...sender.ramp_up, day: toDay(zone, sender.ramp_up_started_at ?? 0) },
    caps: actionTypes.map((type) => ({
      day: sender.action_limits[type]?.day ?? NO_CAP,
      week: sender.action_limits[type]?.week ?? NO_CAP,
    })),
    last_at: sender.last_action_at ?? Number.NEGATIVE_INFINITY,
    uses: 0,
    retry_ms: sender.retry_ms ?? null,
    failing: sender.failing ?? null,
    held_back: sender.held_back ?? null,
    not_before: Math.max(
      sender.not_before ?? Number.NEGATIVE_INFINITY,
      sender.failing?.next_try_at ?? Number.NEGATIVE_INFINITY,
    ),
    day: Math.max(Number.MIN_SAFE_INTEGER, ...days),
    counts: new Int32Array((actionTypes.length + 1) * WEEK),
  }
  for (const [index, { action_type, count }] of sender.used.entries()) {
    const day = days[index] ?? 0
    if (day <= meter.day - WEEK) continue
    add(meter, 0, day, count)
    const action = actionTypes.indexOf(action_type)
    if (action >= 0) add(meter, action + 1, day, count)
  }
  return meter
}

/** How many more actions of this type the sender may take on a local date; never below 0. */
export function roomOn(meter: Meter, action: number, day: number): number {
  const cap = meter.caps[action]
  const total = limitOn(meter, day) - countOn(meter, 0, day)
  const daily = (cap?.day ?? NO_CAP) - countOn(meter, action + 1, day)
  const weekly = cap && cap.week !== NO_CAP ? cap.week - countWeek(meter, action + 1, day) : NO_CAP
  return Math.max(0, Math.min(total, daily, weekly))
}

/**
 * The sender's limit on a local date over all action types, including its ramp, and how much of it is used.
 */
export function dayTotals(meter: Meter, day: number): { limit: number; used: number } {
  return { limit: limitOn(meter, day), used: countOn(meter, 0, day) }
}

/** The first instant at or after `after` at which the sender may act; Infinity if it never may. */
export function senderReadyAt(meter: Meter, action: number, after: number): number {
  let at = Math.max(after, meter.last_at + meter.interval_ms, meter.not_before)
  for (let tries = 0; tries < SEARCH_DAYS; tries++) {
    const day = toDay(meter.zone, at)
    if (roomOn(meter, action, day) > 0) return at
    at = startOfDay(meter.zone, day + 1)
  }
  return Number.POSITIVE_INFINITY
}

export function takeFrom(meter: Meter, action: number, at: number): void {
  const day = Math.max(meter.day, toDay(meter.zone, at))
  const passed = Math.min(WEEK, day - meter.day)
  for (let step = 0; step < passed; step++) {
    for (let cell = column(day - step); cell < meter.counts.length; cell += WEEK) meter.counts[cell] = 0
  }
  meter.day = day
  meter.last_at = at
  meter.uses++
  if (meter.retry_ms !== null) meter.not_before = at + meter.retry_ms
  add(meter, 0, day, 1)
  add(meter, action + 1, day, 1)
}

/** The ramp's limit on a date: `start` on the first, never above the sender's `daily_limit`. */
export function rampLimit(ramp: NonNullable<Meter['ramp']>, ceiling: number, day: number): number {
  return Math.min(ceiling, ramp.start + ramp.increase_per_day * Math.max(0, day - ramp.day))
}

const limitOn = ({ ramp, ceiling }: Meter, day: number) => (ramp ? rampLimit(ramp, ceiling, day) : ceiling)

/**
 * A date before the latest counted one (the owner moved the timezone west) shares its count, so that frees no
 * limit.
 */
function countOn(meter: Meter, row: number, day: number): number {
  return day > meter.day ? 0 : (meter.counts[row * WEEK + column(meter.day)] ?? 0)
}

function countWeek(meter: Meter, row: number, day: number): number {
  let sum = 0
  for (let d = Math.max(day, meter.day) - WEEK + 1; d <= meter.day; d++) {
    sum += meter.counts[row * WEEK + column(d)] ?? 0
  }
  return sum
}

function add(meter: Meter, row: number, day: number, count: number): void {
  const cell = row * WEEK + column(day)
  meter.counts[cell] = (meter.counts[cell] ?? 0) + count
}

function column(day: number): number {
  return ((day % WEEK) + WEEK) % WEEK
}

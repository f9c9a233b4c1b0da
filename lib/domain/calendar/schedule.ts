import {
  DAY_MS,
  loadZone,
  SECOND_MS,
  toDay,
  toInstant,
  toWeekday,
  type Zone,
} from '#lib/domain/calendar/zoned-time'

/** Week order; the index is the weekday (Monday 0). */
export const SEND_DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type SendDay = (typeof SEND_DAYS)[number]

/** Whose clock applies to windows, send days and holidays: the campaign's, or that of each lead. */
export const SCHEDULE_TIMEZONES = ['campaign', 'lead'] as const
export type ScheduleTimezone = (typeof SCHEDULE_TIMEZONES)[number]

export interface ScheduleRules {
  timezone: string
  /** Absent: the campaign's. */
  schedule_timezone?: ScheduleTimezone
  /** "HH:MM:SS" or "HH:MM", local. */
  sending_window_start: string
  sending_window_end: string
  /** Set if a day has several windows: in order of time, none over midnight; start and end are then those of the first and the last. */
  sending_windows?: readonly SendingWindow[] | null
  send_days: readonly SendDay[]
  /** The name of a local date that is a holiday; nothing is sent on it. */
  holidays?: HolidayNames | null
  /** Opened once outside its windows, on request. An instant, or its JSON form. */
  open_from?: Date | string | null
  open_until?: Date | string | null
}

/** By days since 1970-01-01; null: not a holiday. */
export type HolidayNames = (day: number) => string | null

/** Local times of day, as in the rules. */
export interface SendingWindow {
  start: string
  end: string
}

/** The half-open range [opens_at, closes_at), named by the local date (`day`) on which it opens. */
export interface Window {
  day: number
  opens_at: number
  closes_at: number
}

export interface Schedule {
  readonly zone: Zone
  /** The windows of one day, in milliseconds since midnight, in order. */
  readonly windows: readonly { readonly start: number; readonly end: number }[]
  readonly on: readonly boolean[]
  readonly holidays: HolidayNames | null
  readonly once: Window | null
  /** The window of the last answer: most questions fall into the same one. */
  last: Window | null
}

/**
 * After this many days without one, no window will ever open. Even a single weekly window that a DST gap swallows opens again a
 * week later.
 */
const SEARCH_DAYS = 60

export function compileSchedule(rules: ScheduleRules): Schedule {
  const windows = rules.sending_windows ?? [
    { start: rules.sending_window_start, end: rules.sending_window_end },
  ]
  const zone = loadZone(rules.timezone)
  return {
    zone,
    once: openOnce(rules, zone),
    windows: windows.map(({ start, end }) => ({ start: timeOfDay(start), end: timeOfDay(end) })),
    on: SEND_DAYS.map((name) => rules.send_days.includes(name)),
    holidays: rules.holidays ?? null,
    last: null,
  }
}

function openOnce({ open_from, open_until }: ScheduleRules, zone: Zone): Window | null {
  if (!open_from || !open_until) return null
  const opens_at = new Date(open_from).getTime()
  return { day: toDay(zone, opens_at), opens_at, closes_at: new Date(open_until).getTime() }
}

/**
 * The schedule whose days a campaign's daily limit counts: its windows, or, if leads follow their own clocks, the local dates of
 * its timezone, each open from its first instant to the first of the next.
 */
export function countingSchedule(rules: ScheduleRules): Schedule {
  if (rules.schedule_timezone !== 'lead') return compileSchedule(rules)
  const { timezone } = rules
  const midnight = '00:00:00'
  return compileSchedule({
    timezone,
    sending_window_start: midnight,
    sending_window_end: midnight,
    send_days: SEND_DAYS,
  })
}

/**
 * The window that contains an instant, or the next one to open after it; null if none ever will. Windows of one schedule never
 * overlap, so an instant belongs to one window day at most.
 */
export function upcomingWindow(schedule: Schedule, at: number): Window | null {
  const { last, once } = schedule
  if (last && at >= last.opens_at && at < last.closes_at) return last
  const own = ownWindow(schedule, at)
  if (!once || at >= once.closes_at) return own
  if (!own) return once
  // Where the two overlap, the regular windows count.
  if (own.opens_at <= Math.max(at, once.opens_at)) return own
  return { ...once, closes_at: Math.min(once.closes_at, own.opens_at) }
}

/** The same for the regular windows only. */
function ownWindow(schedule: Schedule, at: number): Window | null {
  if (!schedule.on.includes(true)) return null

  // Starts on the day before, whose window may cross midnight.
  const today = toDay(schedule.zone, at)
  for (let day = today - 1; day < today + SEARCH_DAYS; day++) {
    if (!isSendDay(schedule, day)) continue
    for (const window of windowsOfDay(schedule, day)) {
      if (window.closes_at <= at || window.closes_at <= window.opens_at) continue
      schedule.last = window
      return window
    }
  }
  return null
}

/** The window that contains an instant; null outside every window. */
export function windowAt(schedule: Schedule, at: number): Window | null {
  const window = upcomingWindow(schedule, at)
  return window && window.opens_at <= at ? window : null
}

/** The first instant at or after `at` inside a window; null if there will be none. */
export function nextOpen(schedule: Schedule, at: number): number | null {
  const window = upcomingWindow(schedule, at)
  return window && Math.max(window.opens_at, at)
}

export function isSendDay(schedule: Schedule, day: number): boolean {
  return (schedule.on[toWeekday(day)] ?? false) && !schedule.holidays?.(day)
}

export type NamedDay = { day: number; name: string }

/** The next holidays that fall on send days, from a date on, within two years. */
export function upcomingHolidays(rules: ScheduleRules, from: number, most: number): NamedDay[] {
  const { on, holidays } = compileSchedule(rules)
  const named: NamedDay[] = []
  for (let day = from; holidays && day < from + 731 && named.length < most; day++) {
    const name = on[toWeekday(day)] ? holidays(day) : null
    if (name) named.push({ day, name })
  }
  return named
}

/**
 * The windows that open on a local date, in order, as if it were a send day. If the end is before the start, the window closes
 * on the next date; if they are equal, it is the whole date, from its first instant to the next date's first. A boundary that
 * does not exist moves to the first instant after the gap (so a window inside a gap is empty); one that occurs twice opens at
 * its first occurrence and closes at its second. If that lets a window open before the previous one has closed, the later window
 * takes over.
 */
export function windowsOfDay(schedule: Schedule, day: number): Window[] {
  const { zone, windows } = schedule
  const midnight = day * DAY_MS
  return windows.map(({ start, end }, index) => {
    if (start === end) {
      return {
        day,
        opens_at: toInstant(zone, midnight, 'first'),
        closes_at: toInstant(zone, midnight + DAY_MS, 'first'),
      }
    }
    const opens_at = toInstant(zone, midnight + start, 'first')
    const closes_at = toInstant(zone, midnight + (end > start ? end : DAY_MS + end), 'second')
    const later = windows[index + 1]
    if (later) return { day, opens_at, closes_at: earlier(closes_at, zone, midnight + later.start) }
    if (end > start) return { day, opens_at, closes_at }
    // 01:45 to 01:15 on the night when clocks go back.
    const [first] = windows
    const isNext = first && isSendDay(schedule, day + 1)
    return {
      day,
      opens_at,
      closes_at: isNext ? earlier(closes_at, zone, midnight + DAY_MS + first.start) : closes_at,
    }
  })
}

const earlier = (closes_at: number, zone: Zone, opensNext: number) =>
  Math.min(closes_at, toInstant(zone, opensNext, 'first'))

/** Milliseconds since midnight of "HH:MM" or "HH:MM:SS". */
function timeOfDay(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number)
  return ((hours * 60 + minutes) * 60 + seconds) * SECOND_MS
}

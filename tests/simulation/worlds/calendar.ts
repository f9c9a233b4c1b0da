import Holidays from 'date-holidays'
import { Temporal } from 'temporal-polyfill/implementation'

/**
 * Windows, dates and delays computed a second time, directly with Temporal from the written rules, to check the product's own
 * arithmetic.
 */

export type Hours = {
  timezone: string
  sending_window_start: string
  sending_window_end: string
  sending_windows: { start: string; end: string }[] | null
  holiday_country: string | null
  send_days: string[]
}

const WEEK = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const known = new Map<string, number>()

const at = (timezone: string, instant: number) =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone)

/** A wall-clock time as an instant. Inside a gap: the first instant after it. Where it occurs twice: the first or the second occurrence. */
function instantOf(timezone: string, local: Temporal.PlainDateTime, coming: 'earlier' | 'later'): number {
  const key = `${timezone} ${local} ${coming}`
  const before = known.get(key)
  if (before !== undefined) return before
  const zoned = local.toZonedDateTime(timezone, { disambiguation: coming })
  let instant = zoned.epochMilliseconds
  if (!zoned.toPlainDateTime().equals(local)) {
    const early = local.toZonedDateTime(timezone, { disambiguation: 'earlier' })
    instant = early.getTimeZoneTransition('next')?.epochMilliseconds ?? instant
  }
  known.set(key, instant)
  return instant
}

const calendars = new Map<string, Set<string>>()

/** By the holiday library's own calendar of that year. */
function isHoliday(country: string, day: Temporal.PlainDate): boolean {
  const key = `${country} ${day.year}`
  const dates =
    calendars.get(key) ??
    new Set(
      new Holidays(country).getHolidays(day.year).flatMap(({ type, date, start, end }) => {
        const length = Math.round((end.getTime() - start.getTime()) / 86_400_000)
        const first = Temporal.PlainDate.from(date.slice(0, 10))
        return type === 'public'
          ? Array.from({ length }, (_, later) => first.add({ days: later }).toString())
          : []
      }),
    )
  calendars.set(key, dates)
  return dates.has(day.toString())
}

function isOpen(
  timezone: string,
  day: Temporal.PlainDate,
  window: { start: string; end: string },
  instant: number,
): boolean {
  const start = Temporal.PlainTime.from(window.start)
  const end = Temporal.PlainTime.from(window.end)
  const midnight = Temporal.PlainTime.from('00:00')
  const wholeDay = start.equals(end)
  const crosses = Temporal.PlainTime.compare(end, start) < 0
  const opens = instantOf(timezone, day.toPlainDateTime(wholeDay ? midnight : start), 'earlier')
  const closes = wholeDay
    ? instantOf(timezone, day.add({ days: 1 }).toPlainDateTime(midnight), 'earlier')
    : instantOf(timezone, day.add({ days: crosses ? 1 : 0 }).toPlainDateTime(end), 'later')
  return opens <= instant && instant < closes
}

/** The local date whose window contains the instant; null outside every window. */
export function windowDayOf(hours: Hours, instant: number): string | null {
  const today = at(hours.timezone, instant).toPlainDate()
  // The latest one that contains it: a window that opens before yesterday's has closed takes over.
  for (const offset of [1, 0, -1]) {
    const day = today.add({ days: offset })
    if (!hours.send_days.includes(WEEK[day.dayOfWeek - 1] ?? '')) continue
    if (hours.holiday_country && isHoliday(hours.holiday_country, day)) continue
    const windows = hours.sending_windows ?? [
      { start: hours.sending_window_start, end: hours.sending_window_end },
    ]
    if (windows.some((window) => isOpen(hours.timezone, day, window, instant))) return day.toString()
  }
  return null
}

/**
 * The date on which the campaign's limit counts the instant: the date of its window, or, where the schedule follows leads, the campaign's
 * own date.
 */
export const countedDayOf = (campaign: Hours & { schedule_timezone: string }, instant: number) =>
  campaign.schedule_timezone === 'lead' ? dateOf(campaign.timezone, instant) : windowDayOf(campaign, instant)

export function dateOf(timezone: string, instant: number): string {
  return at(timezone, instant).toPlainDate().toString()
}

export function daysBetween(from: string, to: string): number {
  return Temporal.PlainDate.from(from).until(to, { largestUnit: 'day' }).days
}

/** The same wall-clock time this many calendar days later. */
export function addDays(timezone: string, instant: number, days: number): number {
  if (days === 0) return instant
  return instantOf(timezone, at(timezone, instant).toPlainDateTime().add({ days }), 'earlier')
}

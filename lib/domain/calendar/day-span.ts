import { countingSchedule, type ScheduleRules, windowAt } from '#lib/domain/calendar/schedule'
import { loadZone, parseDay, startOfDay } from '#lib/domain/calendar/zoned-time'

/** The instants [after, before) of a range of window days; null if that side is open. Epoch milliseconds. */
export type DaySpan = { after: number | null; before: number | null }

/** No action is before 1970 or after 2999, so days beyond are clamped to what every store can hold. */
const FIRST = 0
const LAST = parseDay('3000-01-01')

/**
 * When the window days `from` to `to` (both included, "2026-03-02") begin and end. A window over midnight belongs to the day on
 * which it opens, so its part after midnight still counts for the day before; outside windows, dates count.
 */
export function spanOfDays(rules: ScheduleRules, from: string | undefined, to: string | undefined): DaySpan {
  const schedule = countingSchedule(rules)
  const zone = loadZone(rules.timezone)
  const findBegin = (asked: number) => {
    const day = Math.min(LAST, Math.max(FIRST, asked))
    const midnight = startOfDay(zone, day)
    const window = windowAt(schedule, midnight)
    return window && window.day < day ? window.closes_at : midnight
  }
  return {
    after: from === undefined ? null : findBegin(parseDay(from)),
    before: to === undefined ? null : findBegin(parseDay(to) + 1),
  }
}

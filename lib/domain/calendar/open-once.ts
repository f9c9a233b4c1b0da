import { compileSchedule, type ScheduleRules, upcomingWindow } from '#lib/domain/calendar/schedule'
import { startOfDay, toDay } from '#lib/domain/calendar/zoned-time'

const HOUR_MS = 3_600_000

/**
 * How long a campaign that is closed now is opened on request: until the end of the day, at least an hour, and never into its
 * own windows, which count separately. Null if it is open already.
 */
export function openingOnce(rules: ScheduleRules, now: number): { from: number; until: number } | null {
  const schedule = compileSchedule(rules)
  const next = upcomingWindow(schedule, now)
  if (next && next.opens_at <= now) return null
  const midnight = startOfDay(schedule.zone, toDay(schedule.zone, now) + 1)
  const until = Math.max(midnight, now + HOUR_MS)
  return { from: now, until: next ? Math.min(until, next.opens_at) : until }
}

import {
  DAY_MS,
  formatDay,
  parseDay,
  toDay,
  toInstant,
  toWeekday,
  type Zone,
} from '#lib/domain/calendar/zoned-time'

export const ANALYTICS_EMAILS = ['off', 'weekly', 'monthly'] as const
export type AnalyticsEmail = (typeof ANALYTICS_EMAILS)[number]
export type Rhythm = Exclude<AnalyticsEmail, 'off'>

const HOUR = 8
const WEEK_DAYS = 7

/** The first day of the week or month that contains `day`, or of the one `step` periods later. */
function beginning(rhythm: Rhythm, day: number, step = 0): number {
  if (rhythm === 'weekly') return day - toWeekday(day) + step * WEEK_DAYS
  const [year = 0, month = 1] = formatDay(day).split('-').map(Number)
  return Math.floor(Date.UTC(year, month - 1 + step, 1) / DAY_MS)
}

const atEight = (zone: Zone, day: number) => toInstant(zone, day * DAY_MS + HOUR * 3_600_000, 'first')

/** The last period whose email is due by now, at 08:00 on the day after it: its days, and when the email was due. */
export function lastPeriod(rhythm: Rhythm, zone: Zone, now: Date) {
  const today = toDay(zone, now.getTime())
  const current = beginning(rhythm, today)
  const after = atEight(zone, current) <= now.getTime() ? current : beginning(rhythm, today, -1)
  const from = beginning(rhythm, after - 1)
  return {
    from: formatDay(from),
    to: formatDay(after - 1),
    due_at: new Date(atEight(zone, after)),
    /** Identifies the email among all of one reader. */
    period: `${rhythm} ${formatDay(from)}`,
  }
}

/** When the next email is due. */
export function nextDue(rhythm: Rhythm, zone: Zone, now: Date): Date {
  const { to } = lastPeriod(rhythm, zone, now)
  return new Date(atEight(zone, beginning(rhythm, parseDay(to) + 1, 1)))
}

import type { Statements } from '#lib/db/statements'
import { countingSchedule, type ScheduleRules, windowAt } from '#lib/domain/calendar/schedule'
import { DAY_MS, formatDay } from '#lib/domain/calendar/zoned-time'
import { isSame } from '#lib/services/campaigns/campaigns'
import { type HolidayPlace, loadHolidays } from '#lib/services/campaigns/days/holidays'

type Counting = Omit<ScheduleRules, 'holidays'> & HolidayPlace & { campaign_id: string }
type CountedDay = { window_day: string; used: number }

/** SQL: that an action `a` uses a place of its day. One that will be offered again, or was for nobody, gave its own back. */
export const IS_COUNTED = `a.status IN ('sending', 'sent', 'uncertain', 'failed')`

/** A window day that is under way, or was when the clocks stood elsewhere, began no longer ago. */
const SINCE_MS = 3 * DAY_MS

const HOURS = [
  'timezone',
  'schedule_timezone',
  'sending_window_start',
  'sending_window_end',
  'sending_windows',
  'send_days',
  'holiday_country',
  'holiday_region',
] as const
type Hours = Pick<Counting, (typeof HOURS)[number]>

/** Whether the daily limits of two schedules count the same hours as one day. */
export const countsAlike = (one: Hours, other: Hours): boolean =>
  HOURS.every((field) => isSame(one[field], other[field]))

/** What the daily limit has counted of the last days by the hours that a campaign has now, from the ledger. The last is first. */
export async function countedDays(
  statements: Statements,
  campaign: Counting,
  now: Date,
): Promise<CountedDay[]> {
  const { rows } = await statements.query<{ at: number }>(
    `SELECT (extract(epoch FROM a.performed_at) * 1000)::float8 AS at FROM actions a
     WHERE a.campaign_id = $1::uuid AND a.performed_at >= $2 AND ${IS_COUNTED}`,
    [campaign.campaign_id, new Date(now.getTime() - SINCE_MS)],
  )
  const schedule = countingSchedule({ ...campaign, holidays: await loadHolidays(campaign) })
  const counts = new Map<string, number>()
  for (const { at } of rows) {
    const window = windowAt(schedule, at)
    if (!window) continue
    const day = formatDay(window.day)
    counts.set(day, (counts.get(day) ?? 0) + 1)
  }
  return [...counts]
    .map(([window_day, used]) => ({ window_day, used }))
    .toSorted((one, other) => (one.window_day < other.window_day ? 1 : -1))
}

/**
 * Counts the last days anew once the hours of a campaign were edited: what left under the old ones was counted on days that mean
 * other hours now, and would leave room for as much again.
 */
export async function recountDays(statements: Statements, campaign: Counting, now: Date): Promise<void> {
  const days = await countedDays(statements, campaign, now)
  // Also days to come: by the clock of another timezone it may have been tomorrow, and the latest day is the one that is read.
  await statements.query(
    'DELETE FROM campaign_days WHERE campaign_id = $1::uuid AND window_day >= $2::date',
    [campaign.campaign_id, new Date(now.getTime() - SINCE_MS).toISOString().slice(0, 10)],
  )
  await statements.query(
    `INSERT INTO campaign_days (campaign_id, window_day, used) SELECT $1::uuid, d.window_day, d.used
     FROM unnest($2::date[], $3::int[]) d (window_day, used)
     ON CONFLICT (campaign_id, window_day) DO UPDATE SET used = excluded.used`,
    [campaign.campaign_id, days.map((day) => day.window_day), days.map((day) => day.used)],
  )
}

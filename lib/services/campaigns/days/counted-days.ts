import type { Statements } from '#lib/db/statements'
import {
  countingSchedule,
  type Schedule,
  type ScheduleRules,
  upcomingWindow,
  type Window,
  windowAt,
  windowsOfDay,
} from '#lib/domain/calendar/schedule'
import { DAY_MS, formatDay, parseDay } from '#lib/domain/calendar/zoned-time'
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

/**
 * What the daily limit has counted of the last days, by the hours that a campaign has `after` an edit. The last is first. Most is in the
 * ledger; a try that came back and waits or was tried again is not, nor is what went with a removed lead: such a place stands in
 * the last day that it may have been in.
 */
export async function countedDays(
  statements: Statements,
  before: Counting,
  after: Counting,
  now: Date,
): Promise<CountedDay[]> {
  const since = now.getTime() - SINCE_MS
  const { rows: left } = await statements.query<{ at: number }>(
    `SELECT (extract(epoch FROM a.performed_at) * 1000)::float8 AS at FROM actions a
     WHERE a.campaign_id = $1::uuid AND a.performed_at >= $2 AND ${IS_COUNTED}`,
    [after.campaign_id, new Date(since)],
  )
  const { rows: kept } = await statements.query<CountedDay>(
    `SELECT to_char(window_day, 'YYYY-MM-DD') AS window_day, used FROM campaign_days WHERE campaign_id = $1::uuid
       AND window_day >= $2::date AND used > 0`,
    [after.campaign_id, new Date(since).toISOString().slice(0, 10)],
  )
  const [was, is] = [await loadSchedule(before), await loadSchedule(after)]
  const known = Map.groupBy(left, ({ at }) => windowAt(was, at)?.day)
  const counts = new Map<number, number>()
  const add = (day: number | undefined, used: number) => {
    if (day !== undefined) counts.set(day, (counts.get(day) ?? 0) + used)
  }
  for (const { at } of left) add(windowAt(is, at)?.day, 1)
  for (const { window_day, used } of kept) {
    const day = parseDay(window_day)
    const span = spanOfDay(was, day)
    const rest = used - (known.get(day)?.length ?? 0)
    // What left before the ledger was read is no rest of its day.
    if (rest > 0 && span && span.opens_at >= since)
      add(lastDayWithin(is, span.opens_at, Math.min(span.closes_at - 1, now.getTime())), rest)
  }
  return [...counts]
    .toSorted(([one], [other]) => other - one)
    .map(([day, used]) => ({ window_day: formatDay(day), used }))
}

const loadSchedule = async (campaign: Counting) =>
  countingSchedule({ ...campaign, holidays: await loadHolidays(campaign) })

/** From the first window of a day to its last, with one that was opened just once. */
function spanOfDay(schedule: Schedule, day: number): Omit<Window, 'day'> | null {
  const once = schedule.once?.day === day ? [schedule.once] : []
  const windows = [...windowsOfDay(schedule, day), ...once]
  if (windows.length === 0) return null
  return {
    opens_at: Math.min(...windows.map(({ opens_at }) => opens_at)),
    closes_at: Math.max(...windows.map(({ closes_at }) => closes_at)),
  }
}

/** The day of the last window that was open at any time from one instant until another, both within. */
function lastDayWithin(schedule: Schedule, from: number, until: number): number | undefined {
  let day: number | undefined
  let window = upcomingWindow(schedule, from)
  while (window && window.opens_at <= until) {
    day = window.day
    window = upcomingWindow(schedule, window.closes_at)
  }
  return day
}

/**
 * Counts the last days anew once the hours of a campaign were edited: what left under the old ones was counted on days that mean
 * other hours now, and would leave room for as much again.
 */
export async function recountDays(
  statements: Statements,
  before: Counting,
  campaign: Counting,
  now: Date,
): Promise<void> {
  const days = await countedDays(statements, before, campaign, now)
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

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

/** SQL: whether an action `a` uses a place in its day's limit. A `retry` or `skipped` action has given its place back. */
export const IS_COUNTED = `a.status IN ('sending', 'sent', 'uncertain', 'failed')`

/** How far back window days are looked up: a window day that is under way, in the old time zone or the new one, began no longer ago. */
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
 * The daily limit's count for the last days, by the hours that a campaign has `after` an edit, latest day first. Most of it is in the
 * ledger. Places that the ledger does not show (a try that was retried or awaits its retry, an action of a removed lead) are counted on the
 * latest day they may belong to.
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
    // Skips days that began before the ledger was read: there the difference says nothing.
    if (rest > 0 && span && span.opens_at >= since)
      add(lastDayWithin(is, span.opens_at, Math.min(span.closes_at - 1, now.getTime())), rest)
  }
  return [...counts]
    .toSorted(([one], [other]) => other - one)
    .map(([day, used]) => ({ window_day: formatDay(day), used }))
}

const loadSchedule = async (campaign: Counting) =>
  countingSchedule({ ...campaign, holidays: await loadHolidays(campaign) })

/** From the opening of a day's first window to the closing of its last, including a window opened once. */
function spanOfDay(schedule: Schedule, day: number): Omit<Window, 'day'> | null {
  const once = schedule.once?.day === day ? [schedule.once] : []
  const windows = [...windowsOfDay(schedule, day), ...once]
  if (windows.length === 0) return null
  return {
    opens_at: Math.min(...windows.map(({ opens_at }) => opens_at)),
    closes_at: Math.max(...windows.map(({ closes_at }) => closes_at)),
  }
}

/** The day of the last window that was open at any time between two instants, both inclusive. */
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
 * Recounts the last days after a campaign's hours were edited. Otherwise sends counted on the old days would not count on the new ones, and
 * the limit would allow the same number again.
 */
export async function recountDays(
  statements: Statements,
  before: Counting,
  campaign: Counting,
  now: Date,
): Promise<void> {
  const days = await countedDays(statements, before, campaign, now)
  // Deletes days to come as well: in another time zone it may have been tomorrow already, and dispatch reads the latest day.
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

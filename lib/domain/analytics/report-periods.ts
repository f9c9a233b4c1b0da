type Counts = { sent: number; replied: number; bounced: number; unsubscribed: number }
export type DayCounts = Counts & { date: string }
export type Period = Counts & { from: string; to: string }

const DAY_MS = 86_400_000
/** Longer reports are summed up by week. */
const MAX_DAYS = 21

/** The Monday on or before a date. */
function weekStart(date: string): string {
  const at = Date.parse(date)
  const sinceMonday = (new Date(at).getUTCDay() + 6) % 7
  return new Date(at - sinceMonday * DAY_MS).toISOString().slice(0, 10)
}

const lastDay = (monday: string) => new Date(Date.parse(monday) + 6 * DAY_MS).toISOString().slice(0, 10)

/** The periods of a report, in order: single days if there are few, otherwise calendar weeks from Monday. */
export function reportPeriods(days: readonly DayCounts[]): Period[] {
  const byWeek = days.length > MAX_DAYS
  const periods = new Map<string, Period>()
  for (const { date, sent, replied, bounced, unsubscribed } of days) {
    const from = byWeek ? weekStart(date) : date
    const known = periods.get(from)
    periods.set(from, {
      from,
      to: byWeek ? lastDay(from) : date,
      sent: sent + (known?.sent ?? 0),
      replied: replied + (known?.replied ?? 0),
      bounced: bounced + (known?.bounced ?? 0),
      unsubscribed: unsubscribed + (known?.unsubscribed ?? 0),
    })
  }
  return [...periods.values()]
}

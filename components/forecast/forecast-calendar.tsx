import { clsx } from 'clsx'
import { ScrollArea } from '#components/ui/layout/scroll-area'
import type { Forecast } from '#lib/contracts/campaigns/forecast-shape'
import { shortDay } from '../ui/plots/short-day.ts'

type Props = Pick<Forecast, 'days' | 'timezone'> & {
  /** Today's local date, YYYY-MM-DD. */
  today: string
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const MOST_WEEKS = 26
const DAY_MS = 86_400_000
const TINTS = ['bg-plot-1/10', 'bg-plot-1/20', 'bg-plot-1/30', 'bg-plot-1/40']

const toDate = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)
const toDay = (date: string) => Math.floor(Date.parse(`${date}T00:00Z`) / DAY_MS)
/** The Monday of a day's week; day 0, 1 January 1970, was a Thursday. */
const toMonday = (day: number) => day - ((((day + 3) % 7) + 7) % 7)
const monthDay = (day: number) => shortDay(toDate(day))

/** Weeks from top to bottom, with the number of sends on each day; the tint only repeats the number. */
export function ForecastCalendar({ days, timezone, today }: Props) {
  const counts = new Map(days.map((day) => [day.date, day.planned]))
  const most = Math.max(1, ...counts.values())
  const first = toMonday(toDay(days[0]?.date ?? today))
  const last = toMonday(toDay(days.at(-1)?.date ?? today))
  const weeks = Math.min(MOST_WEEKS, (last - first) / 7 + 1)
  const shownUntil = toDate(first + 7 * weeks)
  const later = days.filter((day) => day.date >= shownUntil).reduce((sum, day) => sum + day.planned, 0)
  return (
    <div>
      <ScrollArea label="Calendar of upcoming sends" className="max-h-80">
        <table className="w-full table-fixed border-separate border-spacing-0.5 text-center text-xs">
          <caption className="pb-2 text-left text-sm font-medium text-text">Calendar</caption>
          <thead>
            <tr>
              <th scope="col" className="w-14 text-left font-normal text-muted">
                <span className="sr-only">Week of</span>
              </th>
              {WEEKDAYS.map((name) => (
                <th key={name} scope="col" className="font-normal text-muted">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: weeks }, (_, week) => first + 7 * week).map((monday) => (
              <tr key={monday}>
                <th scope="row" className="text-left font-normal whitespace-nowrap text-muted">
                  {monthDay(monday)}
                </th>
                {WEEKDAYS.map((name, index) => {
                  const date = toDate(monday + index)
                  const count = counts.get(date) ?? 0
                  return (
                    <td
                      key={name}
                      title={`${monthDay(monday + index)}: ${count.toLocaleString('en')} planned`}
                      className={clsx(
                        'h-7 rounded-xs border border-transparent',
                        count === 0
                          ? 'text-muted'
                          : TINTS[
                              Math.min(TINTS.length - 1, Math.floor((TINTS.length * count) / (most + 1)))
                            ],
                        date === today && 'border-accent-text',
                      )}
                    >
                      {count === 0 ? '·' : count.toLocaleString('en')}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
      <p className="mt-2 text-sm text-muted">
        Days in {timezone}.{later > 0 && ` ${later.toLocaleString('en')} more after these ${weeks} weeks.`}
      </p>
    </div>
  )
}

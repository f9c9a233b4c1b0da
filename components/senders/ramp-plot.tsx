import { PlotLine } from '#components/ui/plots/plot-line'
import { loadZone, toDay } from '#lib/domain/calendar/zoned-time'

type Props = {
  ramp_up: { start: number; increase_per_day: number }
  /** The days of the ramp before today, oldest first. */
  past: { date: string; limit: number; used: number }[]
  /** Today's limit and use. */
  today: number
  used_today: number
  /** Days from tomorrow on that keep today's limit. */
  held_days?: number
  /** The limit at which the ramp ends; null: none. */
  most: number | null
  timezone: string
  now: string
}

const DAY_MS = 86_400_000
const MOST_DAYS = 60
const OPEN_DAYS = 30
const AFTER_DAYS = 3

const shown = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** A sender's limit and use on each day of its ramp, followed by the coming days until the ramp ends. */
export function RampPlot({ ramp_up, past, today, used_today, held_days = 0, most, timezone, now }: Props) {
  const { increase_per_day: more } = ramp_up
  const first = toDay(loadZone(timezone), Date.parse(now))
  const label = (days: number) => shown.format(new Date((first + days) * DAY_MS))
  const left = most !== null && more > 0 ? Math.max(0, Math.ceil((most - today) / more)) : null
  const reached = left && left + held_days
  const days = Math.min(MOST_DAYS, (reached ?? OPEN_DAYS) + AFTER_DAYS)
  const limitOn = (index: number) =>
    Math.min(most ?? Number.POSITIVE_INFINITY, today + more * Math.max(0, index - held_days))
  const each =
    more === 0
      ? 'with no increase on the following days'
      : `${more.toLocaleString('en')} more each day${held_days > 0 ? ` after ${label(held_days)}` : ''}`
  const end =
    reached === null || left === null
      ? ''
      : left === 0
        ? '; the ramp-up is over'
        : `, reaching ${most?.toLocaleString('en')} on ${label(reached)}`
  return (
    <PlotLine
      title="Ramp-up"
      summary={`At most ${today.toLocaleString('en')} today, ${left === 0 ? 'as on every day' : each}${end}. Days in ${timezone}.`}
      series={['limit', 'used']}
      points={[
        ...past.map(({ date, limit, used }) => ({
          label: shown.format(new Date(date)),
          values: [limit, used],
        })),
        { label: 'today', values: [today, used_today] },
        ...Array.from({ length: days - 1 }, (_, index) => ({
          label: label(index + 1),
          values: [limitOn(index + 1)],
        })),
      ]}
    />
  )
}

import { PlotLine } from '#components/ui/plot-line'
import { dayOf, zoneOf } from '#lib/domain/zoned-time'

type Props = {
  ramp_up: { start: number; increase_per_day: number }
  /** What may leave today. */
  today: number
  /** Where the ramp ends; null: nowhere. */
  most: number | null
  timezone: string
  now: string
}

const DAY_MS = 86_400_000
const MOST_DAYS = 60
const AFTER_DAYS = 3

/** What a sender may do on each of the coming days: from today's limit up to where the ramp ends. */
export function RampPlot({ ramp_up, today, most, timezone, now }: Props) {
  const { increase_per_day: more } = ramp_up
  const first = dayOf(zoneOf(timezone), Date.parse(now))
  const label = (days: number) =>
    new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
      new Date((first + days) * DAY_MS),
    )
  const left = most !== null && more > 0 ? Math.max(0, Math.ceil((most - today) / more)) : null
  const days = Math.min(MOST_DAYS, (left ?? 30) + AFTER_DAYS)
  const each = more === 0 ? 'and no more on the days after' : `${more.toLocaleString('en')} more each day`
  const end =
    left === null
      ? ''
      : left === 0
        ? '; the ramp is over'
        : `, until ${most?.toLocaleString('en')} are reached on ${label(left)}`
  return (
    <PlotLine
      title="Ramp-up"
      summary={`At most ${today.toLocaleString('en')} today, ${each}${end}. Days are those of ${timezone}.`}
      series={['at most a day']}
      points={Array.from({ length: days }, (_, index) => ({
        label: label(index),
        values: [Math.min(most ?? Number.POSITIVE_INFINITY, today + more * index)],
      }))}
    />
  )
}

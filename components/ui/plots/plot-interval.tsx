import { clsx } from 'clsx'
import { scaleLinear } from 'd3-scale'

export type IntervalRow = { label: string; value: number; low: number; high: number; detail: string }

/** On phones the text goes below the bar, which gets the full width. */
const NARROW = 'max-sm:grid max-sm:grid-cols-[2rem_minmax(0,1fr)]'

type Scale = { ticks: number[]; percent: (share: number) => string }

/** Rates with their uncertainty: the dot is the estimate and the bar its interval, all from 0 to 1. */
export function PlotInterval({ title, rows }: { title: string; rows: IntervalRow[] }) {
  const most = Math.min(1, Math.max(0.01, ...rows.map((row) => row.high)) * 1.1)
  const x = scaleLinear([0, most], [0, 100])
  const scale = { ticks: x.ticks(5), percent: (share: number) => `${x(share)}%` }
  return (
    <figure className="min-w-0">
      <figcaption className="mb-2 text-sm font-medium">{title}</figcaption>
      <table className="w-full text-sm">
        <tbody>
          {rows.map((row) => (
            <Row key={row.label} row={row} scale={scale} />
          ))}
        </tbody>
        <Axis {...scale} />
      </table>
    </figure>
  )
}

const words = (share: number) => `${(100 * share).toFixed(1)} %`

function Row({ row, scale }: { row: IntervalRow; scale: Scale }) {
  return (
    <tr className={clsx('border-t border-border first:border-0', NARROW)}>
      <th scope="row" className="w-px py-2 pr-3 text-left font-medium whitespace-nowrap">
        {row.label}
      </th>
      <td className="w-full min-w-24 py-2">
        <Bar row={row} {...scale} />
      </td>
      <td className="py-2 max-sm:col-span-2 max-sm:pt-0 sm:w-px sm:min-w-32 sm:pl-3 sm:text-right sm:whitespace-nowrap">
        <span className="font-medium">{words(row.value)}</span>
        <span
          className="block text-xs text-muted"
          title="The true rate is in this range with 95 % probability."
        >
          95 % interval: {words(row.low)} to {words(row.high)} · {row.detail}
        </span>
      </td>
    </tr>
  )
}

function Bar({ row, ticks, percent }: Scale & { row: IntervalRow }) {
  return (
    <svg aria-hidden="true" className="block h-4 w-full overflow-visible text-plot-1">
      <line x1="0" x2="100%" y1="50%" y2="50%" className="stroke-border" />
      {ticks.map((tick) => (
        <line
          key={tick}
          x1={percent(tick)}
          x2={percent(tick)}
          y1="-50%"
          y2="150%"
          strokeDasharray="3 3"
          className="stroke-border"
        />
      ))}
      <line
        x1={percent(row.low)}
        x2={percent(row.high)}
        y1="50%"
        y2="50%"
        stroke="currentColor"
        strokeWidth="6"
        strokeLinecap="round"
        opacity="0.3"
      />
      <circle cx={percent(row.value)} cy="50%" r="4" fill="currentColor" />
    </svg>
  )
}

/** The common scale of the bars; each row states its own figures. */
function Axis({ ticks, percent }: Scale) {
  return (
    <tfoot aria-hidden>
      <tr className={clsx('text-2xs text-muted', NARROW)}>
        <td />
        <td className="relative h-4">
          {ticks.map((tick, index) => (
            <span
              key={tick}
              className={clsx(
                'absolute top-0 -translate-x-1/2 whitespace-nowrap',
                index % 2 === 1 && 'max-sm:hidden',
              )}
              style={{ left: percent(tick) }}
            >
              {`${Math.round(1_000 * tick) / 10} %`}
            </span>
          ))}
        </td>
        <td className="max-sm:hidden" />
      </tr>
    </tfoot>
  )
}

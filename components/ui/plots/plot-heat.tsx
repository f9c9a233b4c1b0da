import { clsx } from 'clsx'
import { ScrollArea } from '../layout/scroll-area.tsx'

export type HeatCell = { weekday: number; hour: number; value: number; words: string }

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
/** Every how many hours the axis has a label. */
const MARK_EVERY = 3
/** A known zero looks different from an unknown value. */
const NOTHING = 'bg-sunken ring-1 ring-control/60 ring-inset'
const TINTS = ['bg-plot-1/15', 'bg-plot-1/30', 'bg-plot-1/50', 'bg-plot-1/70', 'bg-plot-1']

type Props = {
  title: string
  summary: string
  cells: HeatCell[]
  /** A value in words, for the legend. */
  inWords?: (value: number) => string
}

/** A week by hours: deeper tints are larger values, which each cell also states in words. */
export function PlotHeat({ title, summary, cells, inWords = String }: Props) {
  const most = Math.max(...cells.map(({ value }) => value), Number.MIN_VALUE)
  const known = new Map(cells.map((cell) => [`${cell.weekday} ${cell.hour}`, cell]))
  return (
    <figure className="min-w-0">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span className="text-sm font-medium">{title}</span>
        {cells.length > 0 && <Legend most={inWords(most)} />}
      </figcaption>
      <ScrollArea label={title} className="mt-3">
        <table className="w-full table-fixed border-separate border-spacing-px text-2xs text-muted sm:min-w-96 sm:border-spacing-0.5">
          <thead>
            <tr>
              <th scope="col" className="relative w-9">
                <span className="sr-only">Day</span>
              </th>
              {HOURS.map((hour) => (
                <th key={hour} scope="col" className="relative h-4 font-normal">
                  <span className={clsx(hour % MARK_EVERY !== 0 && 'sr-only')}>{hour}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {WEEKDAYS.map((name, index) => (
              <tr key={name}>
                <th scope="row" className="text-left font-normal">
                  {name}
                </th>
                {HOURS.map((hour) => (
                  <Cell key={hour} cell={known.get(`${index + 1} ${hour}`)} most={most} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
      <p className="mt-2 text-sm text-muted">{summary}</p>
    </figure>
  )
}

/** From nothing to the largest value. */
function Legend({ most }: { most: string }) {
  return (
    <span aria-hidden className="flex items-center gap-1 text-xs text-muted">
      0
      {[NOTHING, ...TINTS].map((tint) => (
        <span key={tint} className={clsx('size-2.5 rounded-xs', tint)} />
      ))}
      {most}
    </span>
  )
}

function Cell({ cell, most }: { cell: HeatCell | undefined; most: number }) {
  if (!cell) return <td className="h-5 rounded-xs bg-sunken" />
  const tint = TINTS[Math.min(TINTS.length - 1, Math.floor((TINTS.length * cell.value) / most))]
  return (
    <td title={cell.words} className={clsx('relative h-5 rounded-xs', cell.value === 0 ? NOTHING : tint)}>
      <span className="sr-only">{cell.words}</span>
    </td>
  )
}

import type { ReactNode } from 'react'
import { ScrollArea } from '../layout/scroll-area.tsx'

/** One row of a plot: its axis label and one value per series. */
export type PlotPoint = { label: string; values: number[] }
/** The same if a series may have no value there. */
export type SparsePoint = { label: string; values: (number | undefined)[] } & Placed
/** On a time axis: the position from 0 to 1, and its label; several points may share a label. */
type Placed = { along?: number; mark?: string }

export const PLOT_INK = ['text-plot-1', 'text-plot-2', 'text-plot-3', 'text-plot-4']
export const PLOT_DASH = [undefined, '6 4', '2 3', '10 3 2 3']

/** If all values are whole numbers, the axis marks are whole too. */
export function marksFor(ticks: number[], points: SparsePoint[]): number[] {
  const areWhole = points.every(({ values }) =>
    values.every((value) => value === undefined || Number.isInteger(value)),
  )
  return areWhole ? ticks.filter(Number.isInteger) : ticks
}

const WIDE_PX = 460
const NARROW_PX = 230
const LETTER_PX = 6
const MOST_LABELS = 7

/** Every how many points a label fits at this axis width. */
function labelEvery(points: SparsePoint[], width: number): number {
  const longest = Math.max(1, ...points.map(({ label }) => label.length))
  const room = Math.floor(width / (LETTER_PX * (longest + 2)))
  return Math.max(1, Math.ceil(points.length / Math.max(1, Math.min(MOST_LABELS, room))))
}

type Props = {
  title: string
  /** The plot's message in a sentence, read by screen readers and printed below the title. */
  summary: string
  series: string[]
  points: SparsePoint[]
  ticks: { at_percent: number; label: string }[]
  /**
   * Bars are hatched as `hatch-1`, `hatch-2` …, defined by the drawing; lines are dashed, except one across
   * bars.
   */
  marks?: 'lines' | 'bars' | 'bars and a line'
  children: ReactNode
}

/**
 * Axes, legend and numbers around a drawing. Labels are HTML positioned in percent, so they keep their size
 * while the drawing scales. A table with the same data is one click away.
 */
export function PlotFrame({ title, summary, series, points, ticks, marks = 'lines', children }: Props) {
  return (
    <figure className="min-w-0">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span className="text-sm font-medium">{title}</span>
        {series.length > 1 && <Legend series={series} marks={marks} />}
      </figcaption>
      <div className="@container mt-3 grid grid-cols-[auto_1fr] gap-x-2">
        <div aria-hidden className="relative h-40 w-8 text-right text-2xs text-muted">
          {ticks.map((tick) => (
            <span
              key={tick.label}
              className="absolute right-0 translate-y-1/2"
              style={{ bottom: `${tick.at_percent}%` }}
            >
              {tick.label}
            </span>
          ))}
        </div>
        <div className="relative h-40 border-b border-border">
          {ticks.map((tick) => (
            <span
              key={tick.label}
              aria-hidden
              className="absolute inset-x-0 border-t border-dashed border-border"
              style={{ bottom: `${tick.at_percent}%` }}
            />
          ))}
          <div role="img" aria-label={`${title}. ${summary}`} className="absolute inset-0">
            {children}
          </div>
        </div>
        <Axis points={points} />
      </div>
      <p className="mt-2 text-sm text-muted">{summary}</p>
      <Numbers title={title} series={series} points={points} />
    </figure>
  )
}

/** A point's horizontal position in percent: by its time if it has one, else evenly spaced. */
export const acrossAt = (points: SparsePoint[]) => (index: number) => {
  const along = points[index]?.along
  return along === undefined ? (100 * (index + 0.5)) / Math.max(1, points.length) : 2 + 96 * along
}

/** The points of a time axis whose labels fit: the first of each label, without overlaps. */
function marked(points: SparsePoint[], width: number): Set<number> {
  const longest = Math.max(1, ...points.map(({ mark, label }) => (mark ?? label).length))
  const room = Math.max(1 / MOST_LABELS, (LETTER_PX * (longest + 2)) / width)
  const shown = new Set<number>()
  let last = Number.NEGATIVE_INFINITY
  points.forEach(({ along = 0, mark, label }, index) => {
    const before = points[index - 1]
    const isNamed = before !== undefined && (before.mark ?? before.label) === (mark ?? label)
    if (isNamed || along - last < room) return
    shown.add(index)
    last = along
  })
  return shown
}

/** Keeps labels at the edges inside the frame. */
const anchored = (along: number) =>
  along < 0.05 ? '' : along > 0.95 ? '-translate-x-full' : '-translate-x-1/2'

function Axis({ points }: { points: SparsePoint[] }) {
  if (points[0]?.along !== undefined) return <TimeAxis points={points} />
  const every = labelEvery(points, WIDE_PX)
  // A multiple, so that a narrow frame shows a subset of the labels.
  const sparse = every * Math.ceil(labelEvery(points, NARROW_PX) / every)
  return (
    <div aria-hidden className="relative col-start-2 mt-1 flex h-4 text-2xs text-muted">
      {points.map((point, index) => (
        <span key={point.label} className="relative min-w-0 flex-1">
          {index % every === 0 && (
            <span
              className={`absolute left-1/2 -translate-x-1/2 whitespace-nowrap ${index % sparse === 0 ? '' : 'hidden @lg:block'}`}
            >
              {point.label}
            </span>
          )}
        </span>
      ))}
    </div>
  )
}

function TimeAxis({ points }: { points: SparsePoint[] }) {
  const at = acrossAt(points)
  const [wide, narrow] = [marked(points, WIDE_PX), marked(points, NARROW_PX)]
  return (
    <div aria-hidden className="relative col-start-2 mt-1 h-4 text-2xs text-muted">
      {points.map(({ label, mark = label, along = 0 }, index) =>
        wide.has(index) || narrow.has(index) ? (
          <span
            key={label}
            className={`absolute whitespace-nowrap ${anchored(along)} ${wide.has(index) ? '' : '@lg:hidden'} ${narrow.has(index) ? '' : 'hidden @lg:block'}`}
            style={{ left: `${at(index)}%` }}
          >
            {mark}
          </span>
        ) : null,
      )}
    </div>
  )
}

function Legend({ series, marks }: { series: string[]; marks: NonNullable<Props['marks']> }) {
  const isLine = (index: number) =>
    marks === 'lines' || (marks === 'bars and a line' && index === series.length - 1)
  const dash = (index: number) => (marks === 'lines' ? PLOT_DASH[index] : undefined)
  return (
    <span className="flex flex-wrap gap-x-3 text-xs text-muted">
      {series.map((name, index) => (
        <span key={name} className="inline-flex items-center gap-1.5">
          {isLine(index) ? (
            <svg aria-hidden="true" viewBox="0 0 20 4" className={`h-1 w-5 ${PLOT_INK[index]}`}>
              <path d="M0 2h20" stroke="currentColor" strokeWidth="2.5" strokeDasharray={dash(index)} />
            </svg>
          ) : (
            <svg aria-hidden="true" viewBox="0 0 10 10" className={`size-2.5 ${PLOT_INK[index]}`}>
              <rect
                x="0.5"
                y="0.5"
                width="9"
                height="9"
                rx="1"
                fill={index === 0 ? 'currentColor' : `url(#hatch-${index})`}
                stroke="currentColor"
              />
            </svg>
          )}
          {name}
        </span>
      ))}
    </span>
  )
}

function Numbers({ title, series, points }: Pick<Props, 'title' | 'series' | 'points'>) {
  return (
    <details className="mt-1 text-sm">
      <summary className="inline-flex min-h-6 items-center rounded-xs text-muted underline decoration-border underline-offset-4 hover:text-text">
        Show the numbers
      </summary>
      <ScrollArea label={`${title}, as numbers`} className="mt-1 max-h-60 rounded-sm border border-border">
        <table className="w-full text-xs">
          <thead>
            <tr>
              <th scope="col" className="px-2 py-1 text-left font-medium text-muted">
                <span className="sr-only">Point</span>
              </th>
              {series.map((name) => (
                <th key={name} scope="col" className="px-2 py-1 text-right font-medium text-muted">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.map((point) => (
              <tr key={point.label} className="border-t border-border">
                <th scope="row" className="px-2 py-1 text-left font-normal">
                  {point.label}
                </th>
                {series.map((name, index) => (
                  <td key={name} className="px-2 py-1 text-right">
                    {point.values[index]?.toLocaleString('en') ?? '–'}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </details>
  )
}

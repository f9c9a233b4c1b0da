import { scaleLinear } from 'd3-scale'
import { area, curveMonotoneX, line } from 'd3-shape'
import { acrossAt, marksFor, PLOT_DASH, PLOT_INK, PlotFrame, type SparsePoint } from './plot-frame.tsx'

type Props = { title: string; summary: string; series: string[]; points: SparsePoint[]; smooth?: boolean }

/**
 * Lines over evenly spaced points, or over time if points have positions. Each series has its own dash
 * pattern; the first is also filled. A missing value interrupts a line.
 */
export function PlotLine({ title, summary, series, points, smooth }: Props) {
  const y = scaleLinear(
    [0, Math.max(1, ...points.flatMap(({ values }) => values.filter((value) => value !== undefined)))],
    [100, 0],
  ).nice(4)
  const xAt = acrossAt(points)
  const ticks = marksFor(y.ticks(4), points).map((value) => ({
    at_percent: 100 - y(value),
    label: value.toLocaleString('en'),
  }))
  const draw = line<number | undefined>(
    (_, index) => xAt(index),
    (value) => y(value ?? 0),
  ).defined((value) => value !== undefined)
  const fill = area<number | undefined>(
    (_, index) => xAt(index),
    () => y(0),
    (value) => y(value ?? 0),
  ).defined((value) => value !== undefined)
  if (smooth) {
    draw.curve(curveMonotoneX)
    fill.curve(curveMonotoneX)
  }
  return (
    <PlotFrame title={title} summary={summary} series={series} points={points} ticks={ticks}>
      <svg
        aria-hidden="true"
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        className="size-full overflow-visible"
      >
        {series.map((name, index) => {
          const values = points.map((point) => point.values[index])
          return (
            <g key={name} className={PLOT_INK[index]}>
              {index === 0 && <path d={fill(values) ?? undefined} fill="currentColor" opacity="0.1" />}
              <path
                d={draw(values) ?? undefined}
                fill="none"
                stroke="currentColor"
                strokeWidth="1.75"
                strokeDasharray={PLOT_DASH[index]}
                vectorEffect="non-scaling-stroke"
              />
            </g>
          )
        })}
      </svg>
    </PlotFrame>
  )
}

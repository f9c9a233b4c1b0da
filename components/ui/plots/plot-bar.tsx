import { scaleBand, scaleLinear } from 'd3-scale'
import { marksFor, PLOT_INK, PlotFrame, type PlotPoint } from './plot-frame.tsx'

/** With fewer bars, the gaps grow instead of the bars. */
const FEW = 6

type Props = {
  title: string
  summary: string
  series: string[]
  points: PlotPoint[]
  /** The last series is a target, drawn as a line across its bar instead of as part of the stack. */
  hasTarget?: boolean
}

/**
 * Stacked bars, first series at the bottom. Later series are hatched, so the stack is readable without
 * colour.
 */
export function PlotBar({ title, summary, series, points, hasTarget = false }: Props) {
  const stacked = hasTarget ? series.length - 1 : series.length
  const tallest = Math.max(1, ...points.flatMap(({ values }) => heights(values, stacked)))
  const y = scaleLinear([0, tallest], [0, 100]).nice(4)
  const x = scaleBand(
    points.map((_, index) => index),
    [0, 100],
  ).padding(points.length < FEW ? 1 - (0.75 * points.length) / FEW : 0.25)
  const ticks = marksFor(y.ticks(4), points).map((value) => ({
    at_percent: y(value),
    label: value.toLocaleString('en'),
  }))
  return (
    <PlotFrame
      title={title}
      summary={summary}
      series={series}
      points={points}
      ticks={ticks}
      marks={hasTarget ? 'bars and a line' : 'bars'}
    >
      <svg aria-hidden="true" className="size-full overflow-visible">
        {points.map((point, index) => {
          let below = 0
          return (
            <g key={point.label}>
              <title>{`${point.label}: ${series.map((name, at) => `${point.values[at] ?? 0} ${name}`).join(', ')}`}</title>
              {point.values.slice(0, stacked).map((value, at) => {
                const bottom = below
                below += value
                return (
                  <rect
                    key={series[at]}
                    className={PLOT_INK[at]}
                    x={`${x(index)}%`}
                    width={`${x.bandwidth()}%`}
                    y={`${100 - y(bottom + value)}%`}
                    height={`${y(value) - y(0)}%`}
                    fill={at === 0 ? 'currentColor' : `url(#hatch-${at})`}
                    stroke="currentColor"
                    rx="1"
                  />
                )
              })}
              {point.values.slice(stacked).map((value) => (
                <rect
                  key="target"
                  className={PLOT_INK[stacked]}
                  x={`${(x(index) ?? 0) - x.bandwidth() / 8}%`}
                  width={`${1.25 * x.bandwidth()}%`}
                  y={`${100 - y(value)}%`}
                  height="2"
                  fill="currentColor"
                />
              ))}
            </g>
          )
        })}
        <Hatches series={series.slice(1, stacked)} />
      </svg>
    </PlotFrame>
  )
}

/** The height of the whole stack and of the target. */
const heights = (values: number[], stacked: number) => [
  values.slice(0, stacked).reduce((sum, value) => sum + value, 0),
  ...values.slice(stacked),
]

function Hatches({ series }: { series: string[] }) {
  return (
    <defs>
      {series.map((name, index) => (
        <pattern
          key={name}
          id={`hatch-${index + 1}`}
          className={PLOT_INK[index + 1]}
          width="5"
          height="5"
          patternUnits="userSpaceOnUse"
          patternTransform={`rotate(${index % 2 ? -45 : 45})`}
        >
          <path d="M0 0v5" stroke="currentColor" strokeWidth="2.5" />
        </pattern>
      ))}
    </defs>
  )
}

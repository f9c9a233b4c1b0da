import { scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'

/** The trend of a few weeks at a glance; the figures are shown elsewhere. */
export function Sparkline({ values, label }: { values: number[]; label: string }) {
  const x = scaleLinear([0, Math.max(1, values.length - 1)], [1, 79])
  const y = scaleLinear([0, Math.max(1, ...values)], [22, 2])
  const path = line<number>(
    (_, index) => x(index),
    (value) => y(value),
  )(values)
  return (
    <svg role="img" aria-label={label} viewBox="0 0 80 24" className="h-6 w-20 shrink-0 text-plot-1">
      <path
        d={path ?? undefined}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  )
}

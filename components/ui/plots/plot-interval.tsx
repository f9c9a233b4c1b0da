export type IntervalRow = { label: string; value: number; low: number; high: number; detail: string }

/** Rates with what is honestly known of them: the dot is the estimate, the bar its interval. All are 0 to 1. */
export function PlotInterval({ title, rows }: { title: string; rows: IntervalRow[] }) {
  const most = Math.min(1, Math.max(0.01, ...rows.map((row) => row.high)) * 1.1)
  const percent = (share: number) => `${(100 * share) / most}%`
  const words = (share: number) => `${(100 * share).toFixed(1)} %`
  return (
    <figure className="min-w-0">
      <figcaption className="mb-2 text-sm font-medium">{title}</figcaption>
      <table className="w-full text-sm">
        <tbody>
          {rows.map((row) => (
            <tr key={row.label} className="border-t border-border first:border-0">
              <th scope="row" className="w-px py-2 pr-3 text-left font-medium whitespace-nowrap">
                {row.label}
              </th>
              <td className="w-full min-w-24 py-2">
                <svg aria-hidden="true" className="block h-4 w-full overflow-visible text-plot-1">
                  <line x1="0" x2="100%" y1="50%" y2="50%" className="stroke-border" />
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
              </td>
              <td className="w-px min-w-32 py-2 pl-3 text-right sm:whitespace-nowrap">
                <span className="font-medium">{words(row.value)}</span>
                <span
                  className="block text-xs text-muted"
                  title="The true rate is in this range with 95 % probability."
                >
                  95 % interval: {words(row.low)} to {words(row.high)} · {row.detail}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}

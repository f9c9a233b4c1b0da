import { percent } from './funnel.ts'

type Rate = { low: number | null; high: number | null }

/** The confidence interval of a rate; renders nothing if nothing was sent. */
export function TrueRange({ rate: { low, high } }: { rate: Rate }) {
  if (low === null) return null
  return (
    <span className="block text-xs text-muted" title="The true rate is in this range with 95 % probability.">
      95 % interval: {percent(low)} to {percent(high)}
    </span>
  )
}

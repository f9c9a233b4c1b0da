import { percent } from './funnel.ts'

type Rate = { low: number | null; high: number | null }

/** Within what a rate lies that few sends have measured; nothing where none has. */
export function TrueRange({ rate: { low, high } }: { rate: Rate }) {
  if (low === null) return null
  return (
    <span className="block text-xs text-muted" title="The true rate is in this range with 95 % probability.">
      95 % interval: {percent(low)} to {percent(high)}
    </span>
  )
}

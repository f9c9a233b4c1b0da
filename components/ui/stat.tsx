import type { ReactNode } from 'react'

type Props = { label: string; value: ReactNode; detail?: ReactNode; plot?: ReactNode }

/** One figure. `detail` says what it is of, since a rate without its denominator says little. */
export function Stat({ label, value, detail, plot }: Props) {
  return (
    <div className="-mr-px -mb-px flex min-w-0 flex-[1_1_9.5rem] flex-col border-r border-b border-border px-4 py-3">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="mt-0.5 flex items-end justify-between gap-3">
        <span className="text-xl font-semibold tracking-tight">{value}</span>
        {plot}
      </dd>
      {detail && <dd className="text-xs text-muted">{detail}</dd>}
    </div>
  )
}

/** Figures side by side with hairlines between them; wraps by itself, and the frame swallows the outer lines. */
export function StatRow({ children }: { children: ReactNode }) {
  return (
    <dl className="flex flex-wrap overflow-hidden rounded-md border border-border bg-surface">{children}</dl>
  )
}

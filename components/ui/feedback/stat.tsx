import { clsx } from 'clsx'
import type { ReactNode } from 'react'

type Props = {
  label: string
  value: ReactNode
  detail?: ReactNode
  plot?: ReactNode
  /** The value is a name or date, longer than a number. */
  isText?: boolean
}

/** One figure. `detail` gives its denominator, without which a rate says little. */
export function Stat({ label, value, detail, plot, isText }: Props) {
  return (
    <div className="-mr-px -mb-px flex min-w-0 flex-[1_1_9.5rem] flex-col border-r border-b border-border px-4 py-3">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="mt-0.5 flex items-end justify-between gap-3">
        <span
          className={clsx(
            'font-semibold tracking-tight',
            isText ? 'flex min-h-7 items-center text-lg' : 'text-xl',
          )}
        >
          {value}
        </span>
        {plot}
      </dd>
      {detail && <dd className="text-xs text-muted">{detail}</dd>}
    </div>
  )
}

/** Figures side by side with thin lines between them; wraps, and the frame hides the outer lines. */
export function StatRow({ children }: { children: ReactNode }) {
  return (
    <dl className="flex flex-wrap overflow-hidden rounded-md border border-border bg-surface">{children}</dl>
  )
}

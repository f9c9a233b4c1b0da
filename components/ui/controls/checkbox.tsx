import { clsx } from 'clsx'
import type { ComponentProps, ReactNode } from 'react'

type Props = Omit<ComponentProps<'input'>, 'type'> & {
  label: ReactNode
  hint?: ReactNode
  hideLabel?: boolean
}

/** The whole line is clickable. `hideLabel` keeps the label for screen readers only, as in a table. */
export function Checkbox({ label, hint, hideLabel, className, ...rest }: Props) {
  return (
    <label className={clsx('inline-flex min-h-6 items-start gap-2 text-sm', className)}>
      <input type="checkbox" className="mt-0.5 size-4 shrink-0 accent-accent" {...rest} />
      <span className={hideLabel ? 'sr-only' : undefined}>
        {label}
        {hint && <span className="block text-muted">{hint}</span>}
      </span>
    </label>
  )
}

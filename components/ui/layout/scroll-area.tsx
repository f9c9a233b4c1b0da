import { clsx } from 'clsx'
import type { ReactNode } from 'react'

/** A scrollable area must be reachable by keyboard, so it has a name and a tab stop (WCAG 2.1.1). */
export function ScrollArea({
  label,
  className,
  children,
}: {
  label: string
  className?: string
  children: ReactNode
}) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the reason is the docstring above
      tabIndex={0}
      aria-label={label}
      className={clsx('overflow-auto focus-visible:-outline-offset-2', className)}
    >
      {children}
    </section>
  )
}

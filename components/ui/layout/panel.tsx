import { clsx } from 'clsx'
import type { ReactNode } from 'react'

type Props = {
  title?: ReactNode
  description?: ReactNode
  action?: ReactNode
  /** Heading level below the page's h1; 2 unless the panel is inside another one. */
  level?: 2 | 3
  /** Without inner padding, for example for a full-width table. */
  flush?: boolean
  className?: string
  children?: ReactNode
}

export function Panel({ title, description, action, level = 2, flush, className, children }: Props) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <section className={clsx('min-w-0 rounded-md border border-border bg-surface', className)}>
      {(title || action) && (
        <header className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-border px-4 py-2 not-last:border-b">
          <div className="min-w-0">
            {title && <Heading className="text-sm font-semibold">{title}</Heading>}
            {description && <p className="text-sm text-muted">{description}</p>}
          </div>
          {action && (
            <div className="flex flex-wrap items-center gap-2 max-sm:has-[[type=search]]:w-full">
              {action}
            </div>
          )}
        </header>
      )}
      {children !== undefined && <div className={flush ? undefined : 'p-4'}>{children}</div>}
    </section>
  )
}

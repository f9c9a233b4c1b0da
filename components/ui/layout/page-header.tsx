import type { ReactNode } from 'react'

type Props = {
  title: ReactNode
  /** Breadcrumbs above the title. */
  above?: ReactNode
  /** Beside the title, such as a status pill. */
  status?: ReactNode
  description?: ReactNode
  actions?: ReactNode
  /** Tabs under the title. */
  below?: ReactNode
}

export function PageHeader({ title, above, status, description, actions, below }: Props) {
  return (
    <header className="border-b border-border px-4 sm:px-6">
      {above && <div className="pt-2.5">{above}</div>}
      <div
        className={`flex flex-wrap items-center justify-between gap-x-4 gap-y-2 ${above ? 'min-h-11 pt-0.5 pb-3' : 'min-h-14 py-3'}`}
      >
        {/* On a phone a short action stays beside the title, which wraps. */}
        <div className="min-w-0 max-sm:flex-1 max-sm:basis-48">
          <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
            <h1 className="min-w-0 text-lg font-semibold tracking-tight wrap-anywhere">{title}</h1>
            {status}
          </div>
          {description && (
            <p className="mt-0.5 max-w-prose text-sm text-pretty wrap-anywhere text-muted">{description}</p>
          )}
        </div>
        {actions && (
          <div className="flex flex-wrap items-center gap-2 max-sm:has-[[type=search]]:w-full">{actions}</div>
        )}
      </div>
      {below}
    </header>
  )
}

/** A page's content below its header; `wide` for tables and editors. */
export function PageBody({ wide = true, children }: { wide?: boolean; children: ReactNode }) {
  return (
    <div className={`grid grid-cols-[minmax(0,1fr)] gap-4 px-4 py-5 sm:px-6 ${wide ? '' : 'max-w-3xl'}`}>
      {children}
    </div>
  )
}

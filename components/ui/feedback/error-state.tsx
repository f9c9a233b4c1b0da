import { CircleX } from 'lucide-react'
import type { ReactNode } from 'react'

type Props = { title: string; description?: ReactNode; reference?: string; action?: ReactNode }

/** What happened, what to do, and a reference to quote when asking for help. */
export function ErrorState({ title, description, reference, action }: Props) {
  return (
    <div role="alert" className="mx-auto flex max-w-md flex-col items-center px-6 py-14 text-center">
      <CircleX aria-hidden className="mb-3 size-6 text-danger" />
      <p className="font-semibold">{title}</p>
      {description && <p className="mt-1 text-sm text-pretty text-muted">{description}</p>}
      {action && <div className="mt-5 flex flex-wrap items-center justify-center gap-2">{action}</div>}
      {reference && <p className="mt-4 font-mono text-xs text-muted">Reference {reference}</p>}
    </div>
  )
}

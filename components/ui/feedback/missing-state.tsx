import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'

type Props = { title: string; description: ReactNode; action?: ReactNode }

/** Shown instead of a page that does not exist, including its heading. */
export function MissingState({ title, description, action }: Props) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center px-6 py-14 text-center">
      <SearchX aria-hidden className="mb-3 size-6 text-muted" />
      <h1 className="font-semibold">{title}</h1>
      <p className="mt-1 text-sm text-pretty text-muted">{description}</p>
      {action && <div className="mt-5 flex flex-wrap items-center justify-center gap-2">{action}</div>}
    </div>
  )
}

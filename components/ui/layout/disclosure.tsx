'use client'

import { ChevronRight } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'

type Props = {
  title: string
  /** A summary of its content, shown while collapsed. */
  summary?: ReactNode
  /** Expands it when it becomes true; only users collapse it. */
  isOpen?: boolean
  children: ReactNode
}

/** A collapsible panel; its fields belong to the form even while collapsed. */
export function Disclosure({ title, summary, isOpen = false, children }: Props) {
  const details = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (isOpen && details.current) details.current.open = true
  }, [isOpen])
  return (
    <details ref={details} className="group rounded-md border border-border bg-surface">
      <summary className="flex min-h-11 cursor-pointer list-none flex-wrap items-center gap-x-3 px-4 py-2 text-sm">
        <ChevronRight aria-hidden className="size-4 text-muted group-open:rotate-90" />
        <span className="font-semibold">{title}</span>
        <span className="min-w-0 text-muted wrap-anywhere group-open:hidden">{summary}</span>
      </summary>
      <div className="border-t border-border p-4">{children}</div>
    </details>
  )
}

'use client'

import { clsx } from 'clsx'
import { useParams } from 'next/navigation'
import { useState } from 'react'
import { controlClass } from '#components/ui/controls/control-class'
import { Link } from '#components/ui/controls/link'
import { counted } from '#components/ui/counted'
import type { Contract } from '#lib/contracts/contract'
import { MethodBadge } from './method-badge.tsx'

export type Listed = Pick<Contract, 'id' | 'method' | 'path' | 'summary' | 'tag'>

/** All operations by tag, filtered by the typed words. */
export function OperationNav({ operations }: { operations: Listed[] }) {
  const { operation: current } = useParams<{ operation?: string }>()
  const [wanted, setWanted] = useState('')
  const words = wanted.toLowerCase().split(/\s+/)
  const matching = operations.filter(({ id, path, summary, tag }) => {
    const text = `${summary} ${path} ${id} ${tag}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  return (
    <nav aria-label="Operations" className="text-sm">
      <input
        type="search"
        aria-label="Filter operations"
        placeholder="Filter operations"
        value={wanted}
        onChange={(event) => setWanted(event.target.value)}
        className={clsx(controlClass, 'mb-3 h-9 sm:h-8')}
      />
      <p role="status" className="sr-only">
        {wanted && counted(matching.length, 'operations')}
      </p>
      {matching.length === 0 && <p className="text-muted">No operations match.</p>}
      {Object.entries(Object.groupBy(matching, ({ tag }) => tag)).map(([tag, group = []]) => (
        <section key={tag} className="mb-4">
          <h2 className="mb-1 text-xs font-medium text-muted">{tag}</h2>
          <ul>
            {group.map(({ id, method, summary }) => (
              <li key={id}>
                <Link
                  href={`/docs/${id}`}
                  prefetch={false}
                  aria-current={id === current ? 'page' : undefined}
                  className="flex min-h-7 items-baseline justify-between gap-2 rounded-sm px-2 py-1 hover:bg-hover aria-[current=page]:bg-hover aria-[current=page]:font-medium"
                >
                  <span className="min-w-0">{summary}</span>
                  <MethodBadge method={method} />
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

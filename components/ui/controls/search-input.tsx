'use client'

import { clsx } from 'clsx'
import { Search } from 'lucide-react'
import Form from 'next/form'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useTransition } from 'react'
import { type Query, queryHref } from '../query-href.tsx'
import { controlClass } from './control-class.tsx'

type Props = { path: string; query: Query; name?: string; label: string; className?: string }

/** Searches as you type, keeps the words in the address, and is a plain form before hydration. `/` focuses it. */
export function SearchInput({ path, query, name = 'search', label, className }: Props) {
  const router = useRouter()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [isPending, startTransition] = useTransition()
  useEffect(() => () => clearTimeout(timer.current), [])

  function search(words: string) {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      startTransition(() => router.replace(queryHref(path, query, { [name]: words }), { scroll: false }))
    }, 250)
  }

  return (
    <Form
      action={path}
      role="search"
      aria-label={label}
      className={clsx('relative', className)}
      aria-busy={isPending}
    >
      {Object.entries(query)
        .filter(([key]) => key !== name && key !== 'page')
        .map(([key, value]) =>
          value === undefined ? null : <input key={key} type="hidden" name={key} value={String(value)} />,
        )}
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted"
      />
      <input
        type="search"
        name={name}
        aria-label={label}
        placeholder={label}
        defaultValue={String(query[name] ?? '')}
        onChange={(event) => search(event.target.value)}
        data-shortcut="search"
        className={clsx(controlClass, 'h-9 pl-8 sm:h-8')}
      />
    </Form>
  )
}

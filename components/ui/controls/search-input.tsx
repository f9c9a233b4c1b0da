'use client'

import { clsx } from 'clsx'
import { Search } from 'lucide-react'
import Form from 'next/form'
import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useRef, useTransition } from 'react'
import { type Query, queryHref } from '../query-href.tsx'
import { controlClass } from './control-class.tsx'

type Props = { path: string; query: Query; name?: string; label: string; className?: string }

const PAUSE_MS = 250

/**
 * Puts the typed text into the URL together with the filters active at that time, so that a filter and a
 * search made within a moment both apply.
 */
function useSearch({ path, query, name }: { path: string; query: Query; name: string }) {
  const router = useRouter()
  const [isPending, startTransition] = useTransition()
  const box = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** Kept until the URL contains it. */
  const typed = useRef<string | null>(null)
  const said = String(query[name] ?? '')
  const others = queryHref(path, query, { [name]: undefined })
  const shown = useRef({ said, others, query })

  function go(words: string) {
    timer.current = undefined
    // Navigating now would cancel a link that is being followed.
    if (document.querySelector('[data-followed]')) return search(words)
    const href = queryHref(path, shown.current.query, { [name]: words })
    startTransition(() => router.replace(href, { scroll: false }))
  }
  function search(words: string) {
    clearTimeout(timer.current)
    typed.current = words
    timer.current = setTimeout(() => go(words), PAUSE_MS)
  }
  const arrive = useEffectEvent(() => {
    const before = shown.current
    shown.current = { said, others, query }
    const words = typed.current
    // The user followed a link to this search.
    if (words === null && said !== before.said && box.current) box.current.value = said
    if (words === null || timer.current) return
    if (others !== before.others && words !== said) go(words)
    else typed.current = null
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each address once
  useEffect(() => arrive(), [said, others])
  useEffect(() => () => clearTimeout(timer.current), [])
  return { box, search, said, isPending }
}

/** Searches while typing and keeps the text in the URL; a plain form before hydration. `/` focuses it. */
export function SearchInput({ path, query, name = 'search', label, className }: Props) {
  const { box, search, said, isPending } = useSearch({ path, query, name })

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
        ref={box}
        type="search"
        name={name}
        aria-label={label}
        placeholder={label}
        defaultValue={said}
        onChange={(event) => search(event.target.value)}
        data-shortcut="search"
        className={clsx(controlClass, 'h-9 pl-8 sm:h-8')}
      />
    </Form>
  )
}

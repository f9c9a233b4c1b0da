'use client'

import { useEffect, useReducer, useRef } from 'react'

export type RowPage<T> = { items: T[]; total: number; page: number; page_size: number }
export type RowProblem = 'unreachable' | 'signed_out' | null

/** Pages of 50 rows: recently seen rows stay loaded, but a long list is never kept as a whole. */
const PAGES_KEPT = 60
/** Dragging the scroll bar passes many pages; only the one where it pauses is fetched. */
const REST_MS = 60

type Held<T> = {
  pages: Map<number, T[]>
  stale: Set<number>
  total: number
  problem: RowProblem
  first: RowPage<T>
  /** Twice the last visible page, to detect the scroll direction and prefetch the next page. */
  place: number
}

const createStore = <T,>(first: RowPage<T>): Held<T> => ({
  pages: new Map([[first.page, first.items]]),
  stale: new Set(),
  total: first.total,
  problem: null,
  first,
  place: 2 * first.page,
})

/** Keeps fetched pages but refetches them, since the server has rendered the list again. */
function renew<T>(store: Held<T>, first: RowPage<T>) {
  if (store.first === first) return
  store.first = first
  store.total = first.total
  for (const page of store.pages.keys()) store.stale.add(page)
  store.pages.set(first.page, first.items)
  store.stale.delete(first.page)
}

function storePages<T>(store: Held<T>, fetched: RowPage<T>[]) {
  for (const { page, items, total } of fetched) {
    store.pages.set(page, items)
    store.stale.delete(page)
    store.total = total
  }
}

async function fetchPage<T>(source: string, page: number, signal: AbortSignal): Promise<RowPage<T>> {
  const response = await fetch(`${source}${source.includes('?') ? '&' : '?'}page=${page}`, {
    signal,
    headers: { accept: 'application/json' },
  })
  if (response.redirected || response.status === 401) throw new Error('signed_out')
  if (!response.ok) throw new Error('unreachable')
  return response.json()
}

/** The loaded rows, by position, of a list too long to send as a whole. */
export function useRowPages<T>(first: RowPage<T>) {
  const store = useRef<Held<T>>(undefined)
  store.current ??= createStore(first)
  const now = store.current
  const [attempt, redraw] = useReducer((count: number) => count + 1, 0)
  renew(now, first)
  const size = first.page_size
  return {
    now,
    attempt,
    redraw,
    total: now.total,
    problem: now.problem,
    at: (index: number): T | undefined => now.pages.get(Math.floor(index / size) + 1)?.[index % size],
    retry: () => {
      now.problem = null
      redraw()
    },
  }
}

/** The pages (counted from 1) containing `from` to `to`, and the next one in the scroll direction. */
function pagesInSight<T>(now: Held<T>, firstPage: number, lastPage: number): number[] {
  const place = firstPage + lastPage
  const ahead = place > now.place ? lastPage + 1 : place < now.place ? firstPage - 1 : 0
  now.place = place
  const isPage = ahead > 0 && ahead <= Math.ceil(now.total / now.first.page_size)
  const inSight = Array.from({ length: lastPage - firstPage + 1 }, (_, index) => firstPage + index)
  return isPage ? [...inSight, ahead] : inSight
}

/** Fetches missing rows between `from` and `to` as JSON from `source`. */
export function useFetchedRows<T>(
  { now, attempt, redraw }: ReturnType<typeof useRowPages<T>>,
  source: string,
  from: number,
  to: number,
) {
  const { first } = now
  const firstPage = Math.floor(from / first.page_size) + 1
  const lastPage = Math.floor(Math.max(from, to - 1) / first.page_size) + 1

  // biome-ignore lint/correctness/useExhaustiveDependencies: `first` and `attempt` make pages stale or missing again
  useEffect(() => {
    if (now.problem) return
    const missing = pagesInSight(now, firstPage, lastPage).filter(
      (page) => !now.pages.has(page) || now.stale.has(page),
    )
    if (missing.length === 0) return
    const abort = new AbortController()
    const timer = setTimeout(async () => {
      try {
        storePages(now, await Promise.all(missing.map((page) => fetchPage<T>(source, page, abort.signal))))
        for (const page of now.pages.keys()) {
          if (now.pages.size <= PAGES_KEPT) break
          if (page < firstPage || page > lastPage) now.pages.delete(page)
        }
      } catch (error) {
        if (abort.signal.aborted) return
        now.problem = error instanceof Error && error.message === 'signed_out' ? 'signed_out' : 'unreachable'
      }
      redraw()
    }, REST_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [source, first, firstPage, lastPage, attempt])
}

'use client'

import { usePathname } from 'next/navigation'
import { type ReactNode, use, useEffect, useState } from 'react'

/** Most pages have arrived by then. Later ones wait for `HELD_MS` plus React's 300 ms, or for themselves. */
const HELD_MS = 300
/** A repeated navigation after this time starts again. */
const ANEW_MS = 5_000

let last: { path: string; from: number; over: Promise<void> } | undefined

/** Returns the same promise for each attempt at one navigation. */
function heldFor(path: string): Promise<void> {
  const now = performance.now()
  if (last?.path !== path || now - last.from > ANEW_MS)
    last = { path, from: now, over: new Promise((done) => setTimeout(done, HELD_MS)) }
  return last.over
}

/**
 * The place of a page being loaded. Until it is late the previous page stays, and the link shows that it was
 * followed: React reveals content after a placeholder 300 ms later at the earliest, so an immediate
 * placeholder would delay every page to a third of a second. An initial document has no previous page, so CSS
 * hides the placeholder for a while.
 */
export function Late({ children }: { children: ReactNode }) {
  const path = usePathname()
  const [isShown, setShown] = useState(false)
  useEffect(() => setShown(true), [])
  const isDocument = typeof window === 'undefined'
  if (!isDocument && !isShown) use(heldFor(path))
  return (
    <div data-late={!isDocument || undefined} className="contents data-late:**:[animation-delay:0s]!">
      {children}
    </div>
  )
}

'use client'

import { usePathname } from 'next/navigation'
import { type ReactNode, use, useEffect, useState } from 'react'

/** Most pages are there by then. What comes later waits for `HELD_MS` and React's 300 ms, or for itself. */
const HELD_MS = 300
/** Whoever goes the same way later than this goes anew. */
const ANEW_MS = 5_000

let last: { path: string; from: number; over: Promise<void> } | undefined

/** The same promise each time that one way is tried. */
function heldFor(path: string): Promise<void> {
  const now = performance.now()
  if (last?.path !== path || now - last.from > ANEW_MS)
    last = { path, from: now, over: new Promise((done) => setTimeout(done, HELD_MS)) }
  return last.over
}

/**
 * The place of a page that is on its way. Until it is late, the page of before stays where it is, and the link shows that it is followed:
 * React shows what comes after a placeholder 300 ms after it at the earliest, so one that shows at once makes each page come in a
 * third of a second. A document has no page before it: there its style keeps it unseen for a while.
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

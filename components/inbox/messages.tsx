'use client'

import { type ReactNode, useEffect, useRef } from 'react'

/** Keeps the newest message in view while the composer below grows. */
function keepAtEnd(area: HTMLElement) {
  let isAtEnd = true
  const measure = () => {
    isAtEnd = area.scrollHeight - area.scrollTop - area.clientHeight < 8
  }
  const resized = new ResizeObserver(() => {
    if (isAtEnd) area.scrollTo({ top: area.scrollHeight })
  })
  area.addEventListener('scroll', measure, { passive: true })
  resized.observe(area)
  return () => {
    area.removeEventListener('scroll', measure)
    resized.disconnect()
  }
}

/**
 * Scrolls to the start of the newest message unless all of it is visible; in a single-pane layout the page
 * scrolls.
 */
function showNewest(area: HTMLElement) {
  area.scrollTo({ top: area.scrollHeight })
  if (getComputedStyle(area).overflowY === 'visible')
    [...area.querySelectorAll(':scope > * > li')].at(-1)?.scrollIntoView({ block: 'start' })
}

/** The scrollable messages beside the composer, starting at the newest. */
export function Messages({ count, children }: { count: number; children: ReactNode }) {
  const area = useRef<HTMLElement>(null)
  useEffect(() => (area.current ? keepAtEnd(area.current) : undefined), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once more as one comes in
  useEffect(() => {
    if (area.current) showNewest(area.current)
  }, [count])
  return (
    <section
      ref={area}
      aria-label="Messages"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard too
      tabIndex={0}
      className="min-h-0 rounded-md max-lg:[&_li]:scroll-mt-3 focus-visible:-outline-offset-2 lg:overflow-y-auto"
    >
      {children}
    </section>
  )
}

'use client'

import { type ReactNode, useEffect, useRef } from 'react'

/** Whoever reads the newest message goes on reading it while the composer below grows. */
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

/** To where the newest begins, unless all of it is seen: by the page itself, where there is one pane. */
function showNewest(area: HTMLElement) {
  area.scrollTo({ top: area.scrollHeight })
  if (getComputedStyle(area).overflowY === 'visible')
    [...area.querySelectorAll(':scope > * > li')].at(-1)?.scrollIntoView({ block: 'start' })
}

/** The messages, which scroll by themselves beside the composer, and begin at the newest. */
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

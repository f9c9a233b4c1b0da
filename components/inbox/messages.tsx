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

/** The messages, which scroll by themselves beside the composer, and begin at the newest. */
export function Messages({ count, children }: { count: number; children: ReactNode }) {
  const area = useRef<HTMLElement>(null)
  useEffect(() => (area.current ? keepAtEnd(area.current) : undefined), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once more as one comes in
  useEffect(() => {
    area.current?.scrollTo({ top: area.current.scrollHeight })
  }, [count])
  return (
    <section
      ref={area}
      aria-label="Messages"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard too
      tabIndex={0}
      className="min-h-0 rounded-md focus-visible:-outline-offset-2 lg:overflow-y-auto"
    >
      {children}
    </section>
  )
}

'use client'

import { useEffect, useState } from 'react'

/** Rows that get their cells per frame; rendering a whole window at once would block too long. */
const AT_ONCE = 12

export type Span = { from: number; to: number }

/**
 * The part of `window` that has cells after one more frame. It grows from the rows that have them, or from
 * `top` if none in view has, and stops at rows that are not loaded.
 */
export function grown(drawn: Span, window: Span, top: number, isHere: (index: number) => boolean): Span {
  const kept = { from: Math.max(drawn.from, window.from), to: Math.min(drawn.to, window.to) }
  const start = Math.min(Math.max(top, window.from), window.to)
  let { from, to } = kept.from < kept.to ? kept : { from: start, to: start }
  for (let left = AT_ONCE; left > 0 && to < window.to && isHere(to); left--) to += 1
  for (let left = AT_ONCE; left > 0 && from > window.from && isHere(from - 1); left--) from -= 1
  return { from, to }
}

/** Which rows of the window have their cells; the others follow, a few per frame. */
export function useDrawn(first: Span, window: Span, top: number, isHere: (index: number) => boolean): Span {
  const [drawn, setDrawn] = useState(first)
  const now = grown(drawn, window, top, isHere)
  const { from, to } = now
  useEffect(() => {
    if (from === drawn.from && to === drawn.to) return
    const frame = requestAnimationFrame(() => setDrawn({ from, to }))
    return () => cancelAnimationFrame(frame)
  }, [from, to, drawn])
  return now
}

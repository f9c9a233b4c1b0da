'use client'

import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { useDrawn } from './use-drawn.tsx'
import { type RowPage, useFetchedRows, useRowPages } from './use-row-pages.tsx'

/** Rows rendered beyond the visible ones. */
const BEYOND = 12

/** The rows in the document: the server-rendered page at first, then those around the scroll position. */
export function useRowWindow<T>(first: RowPage<T>, source: string, rowHeight: number) {
  const scroller = useRef<HTMLElement>(null)
  const [isLive, setLive] = useState(false)
  const rows = useRowPages(first)
  const start = (first.page - 1) * first.page_size
  const [rendered] = useState({ from: start, to: start + first.items.length })
  // Before the first paint there is space for all rows, scrolled to the page in the URL.
  useLayoutEffect(() => setLive(true), [])
  const virtual = useVirtualizer<HTMLElement, HTMLElement>({
    count: rows.total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: BEYOND,
    initialOffset: rendered.from * rowHeight,
    enabled: isLive,
    useFlushSync: false,
  })
  const inSight = virtual.getVirtualItems()
  const from = inSight[0]?.index ?? rendered.from
  const to = Math.min((inSight.at(-1)?.index ?? rendered.to - 1) + 1, rows.total)
  const top = virtual.range?.startIndex ?? from
  useFetchedRows(rows, source, from, to)
  const drawn = useDrawn(rendered, { from, to }, top, (index) => rows.at(index) !== undefined)

  return {
    scroller,
    isLive,
    rows,
    from,
    to,
    top,
    rowAt: (index: number) => (index >= drawn.from && index < drawn.to ? rows.at(index) : undefined),
    scrollToRow: useCallback((row: number) => virtual.scrollToIndex(row, { align: 'start' }), [virtual]),
  }
}

'use client'

import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Button } from '#components/ui/controls/button'
import { Pagination } from '#components/ui/layout/pagination'
import type { Query } from '#components/ui/query-href'
import { wayBackHere } from '../shell/way-back.ts'
import { useDrawn } from './use-drawn.tsx'
import { type RowPage, useRowPages } from './use-row-pages.tsx'
import { Room, VirtualRow } from './virtual-row.tsx'

/** Rows drawn beyond what is seen, and the step in which the window of drawn rows moves. */
const BEYOND = 8
const STEP = 8
const HEAD_PX = 33
const SCROLL_BAR_PX = 15
/** The address follows once scrolling rests. */
const REST_MS = 200

type Props<T> = {
  /** Says what the rows are; read by screen readers, not shown. */
  caption: string
  noun: string
  /** The <tr> of headings; they give the columns their widths, which must not follow what is in sight. */
  head: ReactNode
  columns: number
  rowHeight: 36 | 52
  /** In px; where there is less room, the table scrolls sideways. */
  width?: number
  /** The page that the server rendered, and the address of the others as JSON, with the same query. */
  first: RowPage<T>
  source: string
  path: string
  query: Query
  /** The cells of one row. Must be one and the same function from render to render. */
  cells: (row: T, index: number) => ReactNode
  empty: ReactNode
}

/**
 * A list of any length: the server renders one page, which pages by links where there is no script; with script all rows
 * scroll, of which only those in sight (and a few beyond) are in the document. The page stays in the address.
 */
export function VirtualTable<T>(props: Props<T>) {
  const { caption, noun, head, columns, rowHeight, width, first, source, path, query, cells, empty } = props
  const { page_size } = first
  const start = (first.page - 1) * page_size
  const scroller = useRef<HTMLDivElement>(null)
  const [isLive, setLive] = useState(false)
  const [range, setRange] = useState({ from: start, to: start + first.items.length, page: first.page })
  const rows = useRowPages(source, first, range.from, Math.min(range.to, first.total))
  const { total } = rows
  const to = Math.min(range.to, total)
  const drawn = useDrawn(
    { from: start, to: start + first.items.length },
    { from: range.from, to },
    range.from + BEYOND,
    (index) => rows.at(index) !== undefined,
  )

  const look = useCallback(() => {
    const { scrollTop, clientHeight } = scroller.current ?? { scrollTop: 0, clientHeight: 0 }
    const top = Math.floor(scrollTop / rowHeight)
    const from = Math.max(0, Math.floor((top - BEYOND) / STEP) * STEP)
    const next = {
      from,
      to: from + Math.ceil(clientHeight / rowHeight / STEP) * STEP + 2 * BEYOND + STEP,
      page: Math.floor(top / page_size) + 1,
    }
    setRange((now) => (now.from === next.from && now.to === next.to && now.page === next.page ? now : next))
  }, [rowHeight, page_size])

  // Both before the first paint: room for all rows, and the page of the address on top.
  useLayoutEffect(() => setLive(true), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only where the list begins, not where it was scrolled to
  useLayoutEffect(() => {
    const element = scroller.current
    if (!isLive || !element) return
    element.scrollTop = start * rowHeight
    look()
    const observer = new ResizeObserver(look)
    observer.observe(element)
    return () => observer.disconnect()
  }, [isLive])

  useEffect(() => {
    if (!isLive) return
    const timer = setTimeout(() => {
      const here = new URL(window.location.href)
      if ((Number(here.searchParams.get('page')) || 1) === range.page || here.pathname !== path) return
      if (range.page > 1) here.searchParams.set('page', String(range.page))
      else here.searchParams.delete('page')
      window.history.replaceState(null, '', here)
    }, REST_MS)
    return () => clearTimeout(timer)
  }, [isLive, range.page, path])

  const page = isLive ? range.page : first.page
  // Most movements leave it as it is.
  const pages = useMemo(() => {
    const onPage = (page: number) => scroller.current?.scrollTo({ top: (page - 1) * page_size * rowHeight })
    return <Pagination {...{ path, query, page, page_size, total, noun, onPage }} />
  }, [path, query, page, page_size, rowHeight, total, noun])

  const places = Array.from({ length: Math.max(0, to - range.from) }, (_, place) => range.from + place)
  return (
    <>
      <section
        ref={scroller}
        aria-label={caption}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
        tabIndex={0}
        onScroll={look}
        style={{ height: total * rowHeight + HEAD_PX + (width ? SCROLL_BAR_PX : 0) }}
        className="max-h-[max(20rem,calc(100dvh-21rem))] overflow-auto overscroll-contain rounded-t-md [overflow-anchor:none] [contain:strict]"
      >
        <table aria-rowcount={total + 1} style={{ minWidth: width }} className="w-full table-fixed text-sm">
          <caption className="sr-only">{caption}</caption>
          <thead className="sticky top-0 z-10 bg-surface [&_th]:h-[33px]">{head}</thead>
          <tbody>
            {isLive && <Room rows={range.from} height={rowHeight} columns={columns} />}
            {places.map((index) => (
              <VirtualRow
                key={index}
                row={index >= drawn.from && index < drawn.to ? rows.at(index) : undefined}
                index={index}
                columns={columns}
                height={rowHeight}
                cells={cells as (row: unknown, index: number) => ReactNode}
              />
            ))}
            {isLive && <Room rows={total - to} height={rowHeight} columns={columns} />}
          </tbody>
        </table>
      </section>
      {total === 0 && empty}
      {rows.problem && (
        <div role="alert" className="flex items-center gap-3 border-t border-border px-4 py-2 text-sm">
          <p className="text-danger">
            {rows.problem === 'signed_out'
              ? 'You are signed out, so no further rows can be read.'
              : 'The rows here could not be fetched. Nothing is lost.'}
          </p>
          {rows.problem === 'signed_out' ? (
            <a href={wayBackHere()} className="font-medium underline">
              Sign in
            </a>
          ) : (
            <Button size="sm" onClick={rows.retry}>
              Try again
            </Button>
          )}
        </div>
      )}
      {pages}
    </>
  )
}

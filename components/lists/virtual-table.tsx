'use client'

import { type ReactNode, useMemo } from 'react'
import { Pagination } from '#components/ui/layout/pagination'
import type { Query } from '#components/ui/query-href'
import { RowProblemLine } from './row-problem.tsx'
import { usePageInAddress } from './use-page-in-address.tsx'
import type { RowPage } from './use-row-pages.tsx'
import { useRowWindow } from './use-row-window.tsx'
import { Room, VirtualRow } from './virtual-row.tsx'

const HEAD_PX = 33
const SCROLL_BAR_PX = 15

type Props<T> = {
  /** Describes the rows to screen readers; not visible. */
  caption: string
  noun: string
  /** The <tr> of headings. It determines the column widths, which must not depend on the visible rows. */
  head: ReactNode
  rowHeight: 36 | 52
  /** In pixels; with less space the table scrolls sideways. */
  width?: number
  /** The columns may be wider than the space, so the table scrolls sideways. */
  isWide?: boolean
  /** The server-rendered page, and the URL that returns other pages as JSON for the same query. */
  first: RowPage<T>
  source: string
  path: string
  query: Query
  /** Renders one row's cells. Must keep its identity between renders. */
  cells: (row: T, index: number) => ReactNode
  empty: ReactNode
}

/**
 * A list of any length. The server renders one page, with page links for browsers without scripts. With
 * scripts all rows scroll, but only those in view and a few beyond are in the document. The page is kept in
 * the URL.
 */
export function VirtualTable<T>(props: Props<T>) {
  const { caption, noun, head, rowHeight, width, isWide, first, source, path, query, cells, empty } = props
  const { page_size } = first
  const { scroller, isLive, rows, from, to, rowAt, top, scrollToRow } = useRowWindow(first, source, rowHeight)
  const { total } = rows
  const page = Math.floor(top / page_size) + 1
  usePageInAddress(isLive ? page : null, path)

  // Most scroll movements do not change it.
  const pages = useMemo(() => {
    const onPage = (page: number) => scrollToRow((page - 1) * page_size)
    return <Pagination {...{ path, query, page, page_size, total, noun, onPage }} />
  }, [path, query, page, page_size, total, noun, scrollToRow])

  return (
    <>
      <section
        ref={scroller}
        aria-label={caption}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
        tabIndex={0}
        style={{ height: total * rowHeight + HEAD_PX + (width || isWide ? SCROLL_BAR_PX : 0) }}
        className="max-h-[max(20rem,calc(100dvh-21rem))] overflow-auto overscroll-contain rounded-t-md [overflow-anchor:none] [contain:strict]"
      >
        <table aria-rowcount={total + 1} style={{ minWidth: width }} className="w-full table-fixed text-sm">
          <caption className="sr-only">{caption}</caption>
          <thead className="sticky top-0 z-10 bg-surface [&_th]:h-[33px]">{head}</thead>
          <tbody>
            {isLive && <Room rows={from} height={rowHeight} />}
            {Array.from({ length: Math.max(0, to - from) }, (_, place) => from + place).map((index) => (
              <VirtualRow key={index} row={rowAt(index)} index={index} height={rowHeight} cells={cells} />
            ))}
            {isLive && <Room rows={total - to} height={rowHeight} />}
          </tbody>
        </table>
      </section>
      {total === 0 && empty}
      <RowProblemLine problem={rows.problem} retry={rows.retry} />
      {pages}
    </>
  )
}

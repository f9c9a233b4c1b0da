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
  /** Says what the rows are; read by screen readers, not shown. */
  caption: string
  noun: string
  /** The <tr> of headings; they give the columns their widths, which must not follow what is in sight. */
  head: ReactNode
  rowHeight: 36 | 52
  /** In px; where there is less room, the table scrolls sideways. */
  width?: number
  /** The widths of its columns may be more than there is room for, which scrolls sideways too. */
  isWide?: boolean
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
  const { caption, noun, head, rowHeight, width, isWide, first, source, path, query, cells, empty } = props
  const { page_size } = first
  const { scroller, isLive, rows, from, to, rowAt, top, scrollToRow } = useRowWindow(first, source, rowHeight)
  const { total } = rows
  const page = Math.floor(top / page_size) + 1
  usePageInAddress(isLive ? page : null, path)

  // Most movements leave it as it is.
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

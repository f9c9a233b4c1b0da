import { clsx } from 'clsx'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from '#components/ui/controls/link'
import { Th } from '#components/ui/layout/table'
import { type Query, queryHref } from '#components/ui/query-href'

type Props = {
  path: string
  query: Query
  /** The column's name in the URL; a minus before it reverses the order. */
  column: string
  /** The initial direction. */
  first?: 'up' | 'down'
  /** The URL parameter for the order, if a page has several lists. */
  name?: string
  numeric?: boolean
  className?: string | undefined
  title?: string | undefined
  /** Content before the link. */
  before?: ReactNode
  children: string
}

/**
 * A sortable heading: sorts, reverses, and returns to the default order. It is a link, so the order can be
 * shared.
 */
export function SortTh({
  path,
  query,
  column,
  first = 'up',
  name = 'sort',
  numeric,
  className,
  title,
  before,
  children,
}: Props) {
  const ways = first === 'up' ? [column, `-${column}`] : [`-${column}`, column]
  const at = ways.indexOf(String(query[name] ?? ''))
  const isUp = at >= 0 && ways[at] === column
  const Arrow = isUp ? ArrowUp : ArrowDown
  return (
    <Th
      numeric={numeric}
      className={className}
      title={title}
      aria-sort={at < 0 ? undefined : isUp ? 'ascending' : 'descending'}
    >
      {before && <span className="mr-2 inline-flex align-middle">{before}</span>}
      <Link
        href={queryHref(path, query, { [name]: ways[at + 1] })}
        scroll={false}
        prefetch={false}
        className={clsx(
          'inline-flex min-h-6 items-center gap-1 rounded-xs hover:text-text',
          numeric && 'flex-row-reverse',
          at >= 0 && 'text-text',
        )}
      >
        {children}
        <Arrow aria-hidden className={clsx('size-3', at < 0 && 'opacity-0')} />
      </Link>
    </Th>
  )
}

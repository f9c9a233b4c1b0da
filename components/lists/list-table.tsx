import type { ReactNode } from 'react'
import { Pagination } from '#components/ui/layout/pagination'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import type { Query } from '#components/ui/query-href'
import { SortTh } from './sort-th.tsx'

export type Column<T> = {
  /** The column's key for choosing columns; without one it is always shown. */
  key?: string
  /**
   * The heading, also shown before each value in card layouts, where the first column is the card's title.
   */
  label: string
  /** Shown instead of the heading, or before a sort link. */
  head?: ReactNode
  before?: ReactNode
  /** The column's name in the URL if the list can be sorted by it, and its initial direction. */
  sort?: { column: string; first?: 'up' | 'down' }
  numeric?: boolean
  /** The value needs no label on a card. */
  plain?: boolean
  headClass?: string
  className?: string
  cell: (row: T) => ReactNode
}

type Props<T> = {
  /** Describes the rows to screen readers; not visible. */
  caption: string
  columns: Column<T>[]
  /** The chosen columns in order; columns that cannot be hidden come first. */
  shown?: readonly string[] | undefined
  rows: T[]
  rowKey: (row: T) => string
  /** Actions for a row, in a column of their own. */
  actions?: (row: T) => ReactNode
  path: string
  query: Query
  noun: string
  page: number
  page_size: number
  total: number
  /** The number at which counting stopped. */
  countedTo?: number
}

function chosen<T>(columns: Column<T>[], shown: readonly string[] | undefined): Column<T>[] {
  if (!shown) return columns
  const byKey = Map.groupBy(columns, ({ key }) => key)
  return [...(byKey.get(undefined) ?? []), ...shown.flatMap((key) => byKey.get(key) ?? [])]
}

/** One page of a list, with links to the others. */
export function ListTable<T>({ caption, shown, rows, rowKey, actions, ...given }: Props<T>) {
  const { columns: all, ...pages } = given
  const columns = chosen(all, shown)
  const { path, query } = pages
  return (
    <Panel flush>
      <Table caption={caption}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.label} column={column} path={path} query={query} />
            ))}
            {actions && (
              <Th>
                <span className="sr-only">Actions</span>
              </Th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Tr key={rowKey(row)}>
              {columns.map(({ label, numeric, plain, className, cell }, index) => (
                <Td
                  key={label}
                  {...(index === 0 ? { lead: true } : { label })}
                  {...{ numeric, plain }}
                  className={className}
                >
                  {cell(row)}
                </Td>
              ))}
              {actions && <Td className="w-px">{actions(row)}</Td>}
            </Tr>
          ))}
        </tbody>
      </Table>
      <Pagination {...pages} />
    </Panel>
  )
}

type HeadProps<T> = Pick<Props<T>, 'path' | 'query'> & { column: Column<T> }

function Head<T>({ column: { label, head, before, sort, numeric, headClass }, path, query }: HeadProps<T>) {
  if (sort)
    return (
      <SortTh {...sort} {...{ path, query, before, numeric }} className={headClass}>
        {label}
      </SortTh>
    )
  return (
    <Th numeric={numeric} className={headClass}>
      {head ?? label}
    </Th>
  )
}

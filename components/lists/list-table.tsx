import type { ReactNode } from 'react'
import { Pagination } from '#components/ui/layout/pagination'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import type { Query } from '#components/ui/query-href'
import { SortTh } from './sort-th.tsx'

export type Column<T> = {
  /** As a choice of columns names it; without, it is always there. */
  key?: string
  /** Heads the column, and stands before each value where rows become cards; there the first column heads the card. */
  label: string
  /** Stands in the heading instead, or before what sorts by it. */
  head?: ReactNode
  before?: ReactNode
  /** As the address names the column where the list can be sorted by it, and what the first press asks for. */
  sort?: { column: string; first?: 'up' | 'down' }
  numeric?: boolean
  /** Says itself what it is, on a card. */
  plain?: boolean
  headClass?: string
  className?: string
  cell: (row: T) => ReactNode
}

type Props<T> = {
  /** Says what the rows are; read by screen readers, not shown. */
  caption: string
  columns: Column<T>[]
  /** Of the columns that can be chosen those that are, in their order; those that are always there stand first. */
  shown?: readonly string[] | undefined
  rows: T[]
  rowKey: (row: T) => string
  /** What can be done with a row, in a column of its own. */
  actions?: (row: T) => ReactNode
  path: string
  query: Query
  noun: string
  page: number
  page_size: number
  total: number
  /** Where counting stops. */
  countedTo?: number
}

function chosen<T>(columns: Column<T>[], shown: readonly string[] | undefined): Column<T>[] {
  if (!shown) return columns
  const byKey = Map.groupBy(columns, ({ key }) => key)
  return [...(byKey.get(undefined) ?? []), ...shown.flatMap((key) => byKey.get(key) ?? [])]
}

/** One page of a list, and the way to the others. */
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

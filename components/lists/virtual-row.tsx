import { clsx } from 'clsx'
import { type ReactNode, useMemo } from 'react'

const HEIGHTS = { 36: 'h-9', 52: 'h-13' }

/**
 * Space for rows that are not in the document. A single cell without colspan: spanning columns hidden on
 * phones would take width from the visible ones.
 */
export function Room({ rows, height }: { rows: number; height: number }) {
  if (rows <= 0) return null
  return (
    <tr aria-hidden>
      <td style={{ height: rows * height, padding: 0 }} />
    </tr>
  )
}

type RowProps<T> = {
  row: T | undefined
  index: number
  height: 36 | 52
  cells: (row: T, index: number) => ReactNode
}

/**
 * A row of a virtual table; without `row`, a placeholder of the same height. Re-rendered only if its content
 * changes.
 */
export function VirtualRow<T>({ row, index, height, cells }: RowProps<T>) {
  return useMemo(
    () => (
      <tr
        aria-rowindex={index + 2}
        className={clsx(
          'border-b border-border hover:bg-hover [&>td]:px-3 [&>td]:py-0 [&>td:first-child]:pl-4',
          HEIGHTS[height],
        )}
      >
        {row === undefined ? (
          <td aria-busy className="py-0">
            <span aria-hidden className="block h-3.5 rounded-xs bg-hover" />
          </td>
        ) : (
          cells(row, index)
        )}
      </tr>
    ),
    [row, index, height, cells],
  )
}

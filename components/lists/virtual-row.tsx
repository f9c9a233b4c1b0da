import { clsx } from 'clsx'
import { type ReactNode, useMemo } from 'react'

const HEIGHTS = { 36: 'h-9', 52: 'h-13' }

/** Holds the room of rows that are not in the document. */
export function Room({ rows, height, columns }: { rows: number; height: number; columns: number }) {
  if (rows <= 0) return null
  return (
    <tr aria-hidden>
      <td colSpan={columns} style={{ height: rows * height, padding: 0 }} />
    </tr>
  )
}

type RowProps<T> = {
  row: T | undefined
  index: number
  columns: number
  height: 36 | 52
  cells: (row: T, index: number) => ReactNode
}

/** A row of a table that scrolls; without `row`, the room that it will take. Drawn again only as what it shows changes. */
export function VirtualRow<T>({ row, index, columns, height, cells }: RowProps<T>) {
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
          <td colSpan={columns} aria-busy className="py-0">
            <span aria-hidden className="block h-3.5 w-2/5 rounded-xs bg-hover" />
          </td>
        ) : (
          cells(row, index)
        )}
      </tr>
    ),
    [row, index, columns, height, cells],
  )
}

import { isFilledRow, type SheetRow } from '#lib/domain/datasets/cells'
import { guessType } from '#lib/domain/datasets/column-type'
import { columnNames } from '#lib/domain/datasets/columns'
import { findHeaderRow, HEADER_SEARCH_ROWS } from '#lib/domain/datasets/header-row'
import type { LeadField } from '#lib/domain/datasets/lead-fields'
import { type ColumnSample, suggestMapping } from '#lib/domain/datasets/mapping'

/** The filled rows that determine header, types and mapping; the same for preview and import. */
export const HEAD_ROWS = HEADER_SEARCH_ROWS + 100

export type SheetHead = {
  /** 1-based; null if the first row is data. */
  header_row: number | null
  /** The cells of that row; empty without one. */
  header: string[]
  columnName: (index: number) => string
  /** One entry for each column that has a name or, in these rows, a value; other columns are left out. */
  columns: (ColumnSample & { index: number })[]
  suggested_mapping: Record<string, LeadField>
}

/** What the first rows of a sheet (at most HEAD_ROWS) say about the whole sheet. */
export function readHead(rows: readonly SheetRow[]): SheetHead {
  const head = rows.filter((row) => isFilledRow(row.cells)).slice(0, HEAD_ROWS)
  const at = findHeaderRow(head)
  const headerRow = at === null ? undefined : head[at]
  const header = headerRow?.cells ?? []
  const data = at === null ? head : head.slice(at + 1)
  const columnName = columnNames(header)
  const width = Math.max(header.length, ...data.map((row) => row.cells.length))
  const columns = Array.from({ length: width }, (_, index) => {
    const values = data.map((row) => row.cells[index] ?? '')
    return { index, name: columnName(index), type: guessType(values), values }
  }).filter((column) => column.type !== 'empty' || (header[column.index] ?? '').trim() !== '')
  return {
    header_row: headerRow?.row_number ?? null,
    header,
    columnName,
    columns,
    suggested_mapping: suggestMapping(columns),
  }
}

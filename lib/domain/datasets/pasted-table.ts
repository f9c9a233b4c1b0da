import { isFilledRow, type SheetRow } from '#lib/domain/datasets/cells'
import { MAX_COLUMNS } from '#lib/domain/datasets/given-rows'
import { readHead } from '#lib/domain/datasets/sheet-head'
import { ownValue } from '#lib/domain/text/own-value'

/**
 * The separator: tabs if there are any, as spreadsheets put them between cells; otherwise the most frequent one in the first
 * line that has one.
 */
function findSeparator(text: string): string {
  const start = text.slice(0, 100_000).replace(/"[^"]*"/g, '')
  const line = start.split(/[\r\n]/).find((one) => /[\t;,]/.test(one)) ?? ''
  if (line.includes('\t')) return '\t'
  return line.split(';').length >= line.split(',').length ? ';' : ','
}

/** Parses what a spreadsheet puts on the clipboard, or a csv file. */
export function readPastedRows(text: string): SheetRow[] {
  const separator = findSeparator(text)
  const rows: string[][] = [[]]
  let at = 0
  while (at < text.length) {
    const { cell, end } = text[at] === '"' ? quotedCell(text, at, separator) : plainCell(text, at, separator)
    rows.at(-1)?.push(cell)
    const stop = text[end]
    if (stop === separator && end + 1 === text.length) rows.at(-1)?.push('')
    if (stop !== separator && stop !== undefined) rows.push([])
    at = stop === '\r' && text[end + 1] === '\n' ? end + 2 : end + 1
  }
  return rows.map((cells, index) => ({ row_number: index + 1, cells }))
}

type Cell = { cell: string; end: number }

/** The cell that begins at `from`, and its end. */
function plainCell(text: string, from: number, separator: string): Cell {
  let end = from
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++
  return { cell: text.slice(from, end), end }
}

/**
 * A quoted cell may contain separators and line breaks, and a quote is doubled; a quote that is never closed does not begin a
 * quoted cell.
 */
function quotedCell(text: string, from: number, separator: string): Cell {
  const parts: string[] = []
  let begin = from + 1
  for (;;) {
    const quote = text.indexOf('"', begin)
    if (quote === -1) return plainCell(text, from, separator)
    parts.push(text.slice(begin, quote))
    if (text[quote + 1] !== '"') {
      const rest = plainCell(text, quote + 1, separator)
      return { cell: parts.join('"') + rest.cell, end: rest.end }
    }
    begin = quote + 2
  }
}

export type PastedTable = {
  columns: { name: string; index: number; filled_count: number; sample_values: string[] }[]
  rows: SheetRow[]
  mapping: Record<string, string>
  /** It has more columns than a dataset may have, so none of them is examined. */
  is_too_wide: boolean
}

/** The pasted text as a table: its columns with names and guessed types, and the rows below the header, if it has one. */
export function readPastedTable(text: string): PastedTable {
  const filled = readPastedRows(text).filter(({ cells }) => isFilledRow(cells))
  if (filled.some(({ cells }) => cells.length > MAX_COLUMNS))
    return { columns: [], rows: filled, mapping: {}, is_too_wide: true }
  const { columns, header_row, suggested_mapping } = readHead(filled)
  const rows = filled.filter(({ row_number }) => header_row === null || row_number > header_row)
  const cells = rows.flatMap((row) => row.cells.flatMap((cell, index) => ({ index, text: cell.trim() })))
  const filledCells = Map.groupBy(
    cells.filter(({ text }) => text !== ''),
    ({ index }) => index,
  )
  return {
    columns: columns.map(({ name, index }) => {
      const values = filledCells.get(index) ?? []
      return {
        name,
        index,
        filled_count: values.length,
        sample_values: values.slice(0, 3).map(({ text }) => text),
      }
    }),
    rows,
    mapping: suggested_mapping,
    is_too_wide: false,
  }
}

/** The rows keyed by target: the chosen field, otherwise the column's own name. */
export const namedRows = ({ columns, rows }: PastedTable, mapping: Record<string, string>) =>
  rows.map(({ cells }) =>
    Object.fromEntries(
      columns.flatMap(({ name, index }) => {
        const cell = cells[index]?.trim()
        return cell ? [[ownValue(mapping, name) || name, cell] as const] : []
      }),
    ),
  )

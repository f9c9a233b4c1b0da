import { MAX_SUPPRESSIONS } from '#lib/contracts/leads/suppressions'
import { countryCode } from '#lib/domain/enrichment/country'
import { countryColumn, readSuppression, valueColumn } from '#lib/domain/leads/suppression-value'
import { csvRows } from '#lib/providers/spreadsheet/csv'
import { type SheetFile, SpreadsheetError } from '#lib/providers/spreadsheet/port'
import { readTextFile } from '#lib/providers/spreadsheet/text-file'

/** Most refused rows that a response lists. */
const LISTED = 100

export type SuppressionList = {
  values: string[]
  refused_count: number
  refused: { row_number: number; value: string; reason: string }[]
}

/** Rows read = rows taken + rows refused, each of the latter with its reason. Blocks: the reader calls it. */
export async function readSuppressionList(file: SheetFile): Promise<SuppressionList> {
  const text = readTextFile(file)
  if (!text) throw new SpreadsheetError('not_a_spreadsheet', 'The file is not a csv or text file.')
  const values = new Set<string>()
  const list: SuppressionList = { values: [], refused_count: 0, refused: [] }
  let column: number | undefined
  let country = -1
  for await (const batch of csvRows(text, ',')) {
    for (const { row_number, cells } of batch) {
      const isFirst = column === undefined
      column ??= valueColumn(cells)
      if (isFirst && column >= 0) {
        country = countryColumn(cells)
        continue
      }
      const reading = readRow(cells, column, countryCode(cells[country] ?? ''))
      if ('values' in reading) for (const value of reading.values) values.add(value)
      else if (++list.refused_count <= LISTED) list.refused.push({ row_number, ...reading })
    }
    if (values.size + list.refused_count > MAX_SUPPRESSIONS)
      throw new SpreadsheetError('too_large', `The list has more than ${MAX_SUPPRESSIONS} rows.`)
  }
  return { ...list, values: [...values] }
}

/** The cell of the named column; without one, the first readable cell of the row. */
function readRow(cells: readonly string[], column: number, country: string | null) {
  const candidates = column >= 0 ? [cells[column] ?? ''] : cells.filter((cell) => cell.trim() !== '')
  const readings = candidates.map((cell) => readSuppression(cell, country))
  const [first] = readings
  const reading = readings.find((one) => 'values' in one) ?? first
  if (reading && 'values' in reading) return reading
  return { value: (candidates[0] ?? '').slice(0, 320), reason: reading?.reason ?? 'The row is empty.' }
}

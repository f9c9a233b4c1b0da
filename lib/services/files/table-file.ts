import type { ExportFormat, FileAnswer } from '#lib/contracts/fields'
import { csvLine } from '#lib/domain/text/csv'
import { type Cell, xlsxParts } from '#lib/providers/spreadsheet/write-xlsx'

const BYTE_ORDER_MARK = '\uFEFF'

/** Writes a table as a file in the requested format, while its pages are read. */
export function tableFile(
  name: string,
  format: ExportFormat,
  columns: string[],
  pages: AsyncIterable<Cell[][]>,
): FileAnswer {
  const parts = format === 'xlsx' ? xlsxParts(columns, pages) : csvParts(columns, pages)
  // Datasets are often named after the file they came from.
  return { filename: `${name.replace(/\.(?:csv|xlsx)$/i, '')}.${format}`, format, parts }
}

async function* csvParts(columns: string[], pages: AsyncIterable<Cell[][]>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode(BYTE_ORDER_MARK + csvLine(columns))
  for await (const page of pages) yield encoder.encode(page.map(csvLine).join(''))
}

import type { SheetPreview } from '#lib/contracts/datasets/uploads'
import { cleanText } from '#lib/domain/datasets/cells'
import { guessType } from '#lib/domain/datasets/column-type'
import { defaultSheet } from '#lib/domain/datasets/default-sheet'
import type { PreviewRows } from '#lib/domain/datasets/preview-rows'
import type { SheetHead } from '#lib/domain/datasets/sheet-head'
import type { SheetFile, SheetInfo, SheetRow, SpreadsheetFormat } from '#lib/providers/spreadsheet/port'
import { openWorkbook } from '#lib/providers/spreadsheet/workbook'
import { withHead } from '#lib/services/reading/sheet-batches'

const SAMPLE_ROWS = 5
const SAMPLE_VALUES = 5
const MAX_SAMPLE_CHARS = 300

export type WorkbookPreview = {
  format: SpreadsheetFormat
  filename: string
  sheets: Record<string, SheetPreview>
  total_sheets: number
  message: string
}

/**
 * Previews every sheet of a file, including hidden and empty ones. With `all` it reads every row, so that the counts equal those of an
 * import: `row_count` = rows kept + rows refused. With `first` it stops after the rows that determine the head, and a sheet with more rows
 * has no counts. Blocks while it works: run it in a worker.
 */
export async function previewWorkbook(
  file: SheetFile,
  filename: string,
  wanted: PreviewRows = 'all',
): Promise<WorkbookPreview> {
  const book = await openWorkbook(file, filename, wanted === 'all' ? 'whole' : 'start')
  const sheets: SheetPreview[] = []
  try {
    for (const sheet of book.sheets) sheets.push(await previewSheet(sheet, book.rows(sheet.index), wanted))
  } finally {
    await book.close()
  }
  return {
    format: book.format,
    filename,
    // fromEntries, because a sheet may be called __proto__.
    sheets: Object.fromEntries(sheets.map((sheet) => [sheet.name, sheet])),
    total_sheets: sheets.length,
    message: messageFor(sheets),
  }
}

async function previewSheet(
  sheet: SheetInfo,
  rows: AsyncIterable<SheetRow[]>,
  wanted: PreviewRows,
): Promise<SheetPreview> {
  const { head, batches } = await withHead(rows)
  const counter = columnCounter(head)
  for await (const batch of batches) {
    // The sheet has rows beyond its head, which is all that `first` reports.
    if (wanted === 'first' && counter.hasRows()) return { ...sheet, ...withoutCounts(counter.result()) }
    batch.forEach(counter.add)
  }
  return { ...sheet, ...counter.result() }
}

const withoutCounts = (read: Omit<SheetPreview, keyof SheetInfo>) => ({
  ...read,
  row_count: null,
  columns: read.columns.map((column) => ({ ...column, filled_count: null })),
})

/** Counts the data rows of one sheet as they pass. */
function columnCounter(head: SheetHead) {
  const filled: number[] = []
  const samples: string[][] = []
  const sampleRows: string[][] = []
  let row_count = 0

  function add({ row_number, cells }: SheetRow) {
    if (head.header_row !== null && row_number <= head.header_row) return
    let isFilled = false
    cells.forEach((cell, index) => {
      const text = cell === '' ? '' : shown(cell)
      if (text === '') return
      isFilled = true
      filled[index] = (filled[index] ?? 0) + 1
      samples[index] ??= []
      if (samples[index].length < SAMPLE_VALUES) samples[index].push(text)
    })
    if (!isFilled) return
    row_count++
    if (sampleRows.length < SAMPLE_ROWS) sampleRows.push(cells)
  }

  function result() {
    const types = new Map(head.columns.map((column) => [column.index, column.type]))
    const width = Math.max(head.header.length, filled.length)
    const columns = Array.from({ length: width }, (_, index) => ({
      name: head.columnName(index),
      index,
      type: types.get(index) ?? guessType(samples[index] ?? []),
      filled_count: filled[index] ?? 0,
      sample_values: samples[index] ?? [],
    })).filter((column) => column.filled_count > 0 || shown(head.header[column.index] ?? '') !== '')
    const sample_rows = sampleRows.map((cells) =>
      Object.fromEntries(columns.map((column) => [column.name, shown(cells[column.index] ?? '')])),
    )
    const { header_row, suggested_mapping } = head
    return { row_count, column_count: columns.length, header_row, columns, sample_rows, suggested_mapping }
  }

  return { add, result, hasRows: () => row_count > 0 }
}

/** Preview cells are only displayed, so long ones are cut. */
function shown(cell: string): string {
  const text = cleanText(cell)
  return text.length > MAX_SAMPLE_CHARS ? `${text.slice(0, MAX_SAMPLE_CHARS).toWellFormed()}…` : text
}

function messageFor(sheets: SheetPreview[]): string {
  const counted = sheets.length === 1 ? '1 sheet' : `${sheets.length} sheets`
  const chosen = defaultSheet(sheets)
  if (!chosen) return `${counted}, none with rows.`
  const { name, row_count } = chosen
  const rows = row_count === null ? '' : row_count === 1 ? ' with 1 row' : ` with ${row_count} rows`
  return `${counted}; an import takes "${name}"${rows} unless told otherwise.`
}

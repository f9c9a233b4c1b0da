import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import {
  type Budget,
  counted,
  fileBudget,
  rowBatch,
  tooLarge,
  tooManyRowsOrColumns,
} from '#lib/providers/spreadsheet/budget'
import {
  MAX_SHEET_COLUMNS,
  MAX_SHEET_ROWS,
  type SheetRow,
  SpreadsheetError,
} from '#lib/providers/spreadsheet/port'
import { type Delimiter, sniffDelimiter, type TextFile } from '#lib/providers/spreadsheet/text-file'

const MAX_RECORD_CHARS = 4_000_000

/**
 * The records of a delimited text as rows, numbered as a spreadsheet program would show them: one per record, blank
 * lines included, line breaks in quotes not. A first line `sep=;` names the delimiter and is not shown.
 */
export async function* csvRows(
  { head, pieces }: Pick<TextFile, 'head' | 'pieces'>,
  fallback: Delimiter,
  budget: Budget = fileBudget(),
): AsyncGenerator<SheetRow[]> {
  const named = /^sep=(.)\r?\n/i.exec(head.slice(0, 10))
  const source = Readable.from(without(pieces(), named?.[0].length ?? 0), { highWaterMark: 1 })
  const parser = parse({
    delimiter: named?.[1] ?? sniffDelimiter(head)?.delimiter ?? fallback,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: false,
    max_record_size: MAX_RECORD_CHARS,
  })
  // The loop below hears of whatever ends it.
  pipeline(source, parser, () => undefined)
  const records: AsyncIterable<string[]> = parser
  const batch = rowBatch(budget)
  let rowNumber = 0
  try {
    for await (const record of records) {
      rowNumber++
      if (rowNumber > MAX_SHEET_ROWS || record.length > MAX_SHEET_COLUMNS) throw tooManyRowsOrColumns()
      if (record.every((cell) => cell === '')) continue
      if (batch.add({ row_number: rowNumber, cells: record.map(shownText) })) yield batch.take()
    }
  } catch (error) {
    throw error instanceof CsvError ? unreadable(error) : error
  }
  if (!batch.isEmpty()) yield batch.take()
}

function* without(pieces: Iterable<string>, chars: number): Generator<string> {
  let left = chars
  for (const piece of pieces) {
    const rest = piece.slice(left)
    left -= piece.length - rest.length
    if (rest !== '') yield rest
  }
}

/** `="00123"` is how csv files tell spreadsheet programs to leave a text alone; they show 00123. */
function shownText(cell: string): string {
  return cell.startsWith('="') && cell.endsWith('"') && cell.length >= 3 ? cell.slice(2, -1) : cell
}

function unreadable(cause: CsvError): SpreadsheetError {
  const row = Number(cause.records ?? 0) + 1
  if (cause.code === 'CSV_MAX_RECORD_SIZE')
    return tooLarge(
      `Row ${row} of the file holds more than ${counted(MAX_RECORD_CHARS)} characters, or opens a quotation mark that is never closed.`,
    )
  const message =
    cause.code === 'CSV_QUOTE_NOT_CLOSED'
      ? `The file is damaged: a quotation mark that opens in row ${row} is never closed.`
      : `The file is damaged at row ${row}.`
  return new SpreadsheetError('damaged', message, { cause })
}

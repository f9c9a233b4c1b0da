import { Readable } from 'node:stream'
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
import { type Delimiter, sniffDelimiter } from '#lib/providers/spreadsheet/text-file'

const PIECE_CHARS = 1 << 16
const MAX_RECORD_CHARS = 4_000_000

/**
 * The records of a delimited text as rows, numbered as a spreadsheet program would show them: one per record, blank
 * lines included, line breaks in quotes not. A first line `sep=;` names the delimiter and is not shown.
 */
export async function* csvRows(
  text: string,
  fallback: Delimiter,
  budget: Budget = fileBudget(),
): AsyncGenerator<SheetRow[]> {
  const named = /^sep=(.)\r?\n/i.exec(text.slice(0, 10))
  const body = named ? text.slice(named[0].length) : text
  const parser: AsyncIterable<string[]> = Readable.from(pieces(body)).pipe(
    parse({
      delimiter: named?.[1] ?? sniffDelimiter(body)?.delimiter ?? fallback,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: false,
      max_record_size: MAX_RECORD_CHARS,
    }),
  )
  const batch = rowBatch(budget)
  let rowNumber = 0
  try {
    for await (const record of parser) {
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

function* pieces(text: string) {
  for (let at = 0; at < text.length; at += PIECE_CHARS) yield text.slice(at, at + PIECE_CHARS)
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

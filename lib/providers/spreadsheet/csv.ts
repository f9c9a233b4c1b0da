import {
  type Budget,
  counted,
  fileBudget,
  rowBatch,
  tooLarge,
  tooManyRowsOrColumns,
} from '#lib/providers/spreadsheet/budget'
import { CsvTrouble, csvRecords } from '#lib/providers/spreadsheet/csv-records'
import {
  MAX_SHEET_COLUMNS,
  MAX_SHEET_ROWS,
  type SheetRow,
  SpreadsheetError,
} from '#lib/providers/spreadsheet/port'
import { type Delimiter, sniffDelimiter, type TextFile } from '#lib/providers/spreadsheet/text-file'

const MAX_RECORD_CHARS = 4_000_000

/**
 * The records of a delimited text as rows, numbered as a spreadsheet program numbers them: one per record, including blank lines
 * but not line breaks in quotes. A first line `sep=;` names the delimiter and is not a row.
 */
export async function* csvRows(
  { head, pieces }: Pick<TextFile, 'head' | 'pieces'>,
  fallback: Delimiter,
  budget: Budget = fileBudget(),
): AsyncGenerator<SheetRow[]> {
  const named = /^sep=([^\ud800-\udfff])\r?\n/i.exec(head.slice(0, 10))
  const delimiter = named?.[1] ?? sniffDelimiter(head)?.delimiter ?? fallback
  const source = without(pieces(), named?.[0].length ?? 0)
  const batch = rowBatch(budget)
  let row_number = 0
  try {
    for (const cells of csvRecords(source, delimiter, MAX_RECORD_CHARS)) {
      row_number++
      if (row_number > MAX_SHEET_ROWS || cells.length > MAX_SHEET_COLUMNS) throw tooManyRowsOrColumns()
      if (cells.every((cell) => cell === '')) continue
      for (const [at, cell] of cells.entries()) if (MARKED.test(cell)) cells[at] = shownText(cell)
      if (batch.add({ row_number, cells })) yield batch.take()
    }
  } catch (error) {
    throw error instanceof CsvTrouble ? unreadable(error) : error
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

/** How csv files tell spreadsheet programs to keep a cell as text. */
const MARKED = /^(="|'+[=+\-@\t\r])/

/** `="00123"` is shown as 00123. The apostrophe that exports put before a formula-like text is not part of the text. */
function shownText(cell: string): string {
  if (cell.startsWith("'")) return cell.slice(1)
  return cell.endsWith('"') && cell.length >= 3 ? cell.slice(2, -1) : cell
}

function unreadable(cause: CsvTrouble): SpreadsheetError {
  if (cause.code === 'too_long')
    return tooLarge(
      `Row ${cause.record} of the file has more than ${counted(MAX_RECORD_CHARS)} characters, or a quotation mark that is never closed.`,
    )
  const message = `The file is damaged: a quotation mark that opens in row ${cause.record} is never closed.`
  return new SpreadsheetError('damaged', message, { cause })
}

import {
  MAX_SHEET_COLUMNS,
  MAX_SHEET_ROWS,
  type SheetRow,
  SpreadsheetError,
} from '#lib/providers/spreadsheet/port'

/** Most cells in all sheets of a file. Each row counts up to its last filled cell, so a cell far to the right counts all before it. */
export const MAX_CELLS = 10_000_000
/** Most characters shown by all cells; many cells may refer to one long text. */
export const MAX_CHARS = 250_000_000
export const MAX_SHEETS = 500
/** Most columns of one sheet that hold a value. */
export const MAX_FILLED_COLUMNS = 2_000

/** Rows per batch: enough that passing them on costs little, few enough to hold in memory. */
const ROWS_PER_BATCH = 500
const CELLS_PER_BATCH = 100_000
const CHARS_PER_BATCH = 2_000_000

export const tooLarge = (what: string) =>
  new SpreadsheetError('too_large', `${what} Split the file into smaller ones.`)

export const counted = (n: number) => n.toLocaleString('en-US')

export const tooManyRowsOrColumns = () =>
  tooLarge(`A sheet has at most ${counted(MAX_SHEET_ROWS)} rows and ${counted(MAX_SHEET_COLUMNS)} columns.`)

/** What may still be read of one file. */
export type Budget = { cells: number; chars: number }
export const fileBudget = (): Budget => ({ cells: MAX_CELLS, chars: MAX_CHARS })

/** Collects the rows of a sheet into batches. Throws SpreadsheetError if the file exceeds the limits. */
export function rowBatch(budget: Budget) {
  let rows: SheetRow[] = []
  let cells = 0
  let chars = 0
  const filled = new Uint8Array(MAX_SHEET_COLUMNS)
  let columns = 0

  function count(row: SheetRow) {
    let length = 0
    for (let at = 0; at < row.cells.length; at++) {
      const size = row.cells[at]?.length ?? 0
      if (size === 0) continue
      length += size
      if (filled[at] === 1) continue
      filled[at] = 1
      columns++
    }
    cells += row.cells.length
    chars += length
    budget.cells -= row.cells.length
    budget.chars -= length
    if (columns > MAX_FILLED_COLUMNS)
      throw tooLarge(`A sheet has more than ${counted(MAX_FILLED_COLUMNS)} non-empty columns.`)
    if (budget.cells < 0)
      throw tooLarge(
        `The file has more than ${counted(MAX_CELLS)} cells, including empty cells before a filled one.`,
      )
    if (budget.chars < 0)
      throw tooLarge(`The file’s cells contain more than ${counted(MAX_CHARS)} characters.`)
  }

  return {
    /** Returns whether the batch is full now. */
    add(row: SheetRow): boolean {
      count(row)
      rows.push(row)
      return rows.length >= ROWS_PER_BATCH || cells >= CELLS_PER_BATCH || chars >= CHARS_PER_BATCH
    },
    take(): SheetRow[] {
      const taken = rows
      rows = []
      cells = 0
      chars = 0
      return taken
    },
    isEmpty: () => rows.length === 0,
  }
}

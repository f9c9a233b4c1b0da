/** The formats that Opener imports. Detected by content; the name only distinguishes csv from tsv, and text from other files. */
export const SPREADSHEET_FORMATS = ['xlsx', 'xlsm', 'xlsb', 'xls', 'ods', 'csv', 'tsv'] as const
export type SpreadsheetFormat = (typeof SPREADSHEET_FORMATS)[number]

/** Most rows and columns of one sheet: the limits of spreadsheet programs, applied to csv files as well. */
export const MAX_SHEET_ROWS = 1_048_576
export const MAX_SHEET_COLUMNS = 16_384

/** A file as its readers see it: `read` returns the bytes of a range, as far as they exist. It is never in memory as a whole. */
export type SheetFile = { readonly size: number; read(from: number, to: number): Uint8Array<ArrayBuffer> }

/** `row_number` counts from 1 as the spreadsheet shows it; `cells` start at column A, '' for an empty cell. */
export type SheetRow = { row_number: number; cells: string[] }

/** `index` counts the worksheets from 0; a chart sheet is not counted. */
export type SheetInfo = { name: string; index: number; hidden: boolean }

export type Workbook = {
  format: SpreadsheetFormat
  sheets: SheetInfo[]
  /** The non-empty rows in batches, every cell as the text it shows (see cell-text.ts). */
  rows: (sheetIndex: number) => AsyncIterable<SheetRow[]>
  /** Ends a reading that stopped half-way. */
  close: () => Promise<void>
}

/** Whether the whole file is going to be read, or only its first rows. */
export type Extent = 'whole' | 'start'

export const SPREADSHEET_ERRORS = ['not_a_spreadsheet', 'encrypted', 'damaged', 'too_large'] as const
export type SpreadsheetErrorCode = (typeof SPREADSHEET_ERRORS)[number]

/** The file cannot be read; the message is for the person who sent it. */
export class SpreadsheetError extends Error {
  readonly code: SpreadsheetErrorCode

  constructor(code: SpreadsheetErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SpreadsheetError'
    this.code = code
  }
}

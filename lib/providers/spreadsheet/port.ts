/** What Opener reads lead lists from. Judged by content; a name only tells csv from tsv and text from something else. */
export const SPREADSHEET_FORMATS = ['xlsx', 'xlsm', 'xlsb', 'xls', 'ods', 'csv', 'tsv'] as const
export type SpreadsheetFormat = (typeof SPREADSHEET_FORMATS)[number]

/** Most rows and columns of one sheet: what spreadsheet programs can hold, so csv files are held to it as well. */
export const MAX_SHEET_ROWS = 1_048_576
export const MAX_SHEET_COLUMNS = 16_384

/** A file as its readers see it: what stands from one byte up to another, as far as there is any. Nobody holds it whole. */
export type SheetFile = { readonly size: number; read(from: number, to: number): Uint8Array<ArrayBuffer> }

/** `row_number` counts from 1 as the spreadsheet shows it; `cells` from column A on, '' for an empty cell. */
export type SheetRow = { row_number: number; cells: string[] }

/** `index` counts the sheets that hold cells, from 0; a chart on a tab of its own is none. */
export type SheetInfo = { name: string; index: number; hidden: boolean }

export type Workbook = {
  format: SpreadsheetFormat
  sheets: SheetInfo[]
  /** The rows that hold something, in batches, every cell as the text it shows (see cell-text.ts). */
  rows: (sheetIndex: number) => AsyncIterable<SheetRow[]>
  /** Ends what was read in part. */
  close: () => Promise<void>
}

/** Whether all of a file is going to be read, or what its first rows need and little more. */
export type Extent = 'whole' | 'start'

export const SPREADSHEET_ERRORS = ['not_a_spreadsheet', 'encrypted', 'damaged', 'too_large'] as const
export type SpreadsheetErrorCode = (typeof SPREADSHEET_ERRORS)[number]

/** A file that cannot be read, with a sentence for the person who sent it. */
export class SpreadsheetError extends Error {
  readonly code: SpreadsheetErrorCode

  constructor(code: SpreadsheetErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SpreadsheetError'
    this.code = code
  }
}

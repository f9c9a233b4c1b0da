import { fileBudget } from '#lib/providers/spreadsheet/budget'
import { csvRows } from '#lib/providers/spreadsheet/csv'
import { detectFormat } from '#lib/providers/spreadsheet/format'
import { SpreadsheetError, type SpreadsheetFormat, type Workbook } from '#lib/providers/spreadsheet/port'
import { openWithSheetJs } from '#lib/providers/spreadsheet/sheetjs'
import { decodeText } from '#lib/providers/spreadsheet/text-file'
import { openXlsx } from '#lib/providers/spreadsheet/xlsx'
import { BeyondFastReader } from '#lib/providers/spreadsheet/xlsx-parts'
import { refuseBomb } from '#lib/providers/spreadsheet/zip'

/** SheetJS holds a workbook whole, at about ten times its unpacked size. */
const MAX_SHEETJS_BYTES = 40_000_000

/**
 * Opens a spreadsheet of any of the formats by its content. Throws SpreadsheetError for what cannot be read, here or
 * while its rows are read. Blocks while it works: the server calls it in a worker only.
 */
export async function openWorkbook(bytes: Uint8Array, filename: string): Promise<Workbook> {
  const format = detectFormat(bytes, filename)
  if (format === 'csv' || format === 'tsv') return openText(bytes, filename, format)
  if (format === 'xls') return openWithSheetJs(bytes, format)
  if (format === 'xlsx' || format === 'xlsm') {
    try {
      return await openXlsx(bytes, format)
    } catch (error) {
      if (!(error instanceof BeyondFastReader)) throw error
    }
  }
  await refuseBomb(bytes, MAX_SHEETJS_BYTES)
  return openWithSheetJs(bytes, format)
}

/** A text file is a workbook of one sheet, named after the file. */
function openText(bytes: Uint8Array, filename: string, format: SpreadsheetFormat): Workbook {
  const text = decodeText(bytes)?.text
  if (text === undefined) throw new SpreadsheetError('not_a_spreadsheet', 'This is not a spreadsheet.')
  const budget = fileBudget()
  const name = filename.replace(/^.*[\\/]/, '').replace(/\.[a-z0-9]{1,8}$/i, '') || 'Sheet1'
  return {
    format,
    sheets: [{ name, index: 0, hidden: false }],
    rows: () => csvRows(text, format === 'tsv' ? '\t' : ',', budget),
  }
}

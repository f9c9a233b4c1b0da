import { fileBudget } from '#lib/providers/spreadsheet/budget'
import { csvRows } from '#lib/providers/spreadsheet/csv'
import { detectFormat } from '#lib/providers/spreadsheet/format'
import type { Extent, SheetFile, SpreadsheetFormat, Workbook } from '#lib/providers/spreadsheet/port'
import { openWithSheetJs } from '#lib/providers/spreadsheet/sheetjs'
import type { TextFile } from '#lib/providers/spreadsheet/text-file'
import { openXlsx } from '#lib/providers/spreadsheet/xlsx'
import { BeyondFastReader } from '#lib/providers/spreadsheet/xlsx-parts'
import { refuseBomb } from '#lib/providers/spreadsheet/zip'

/** SheetJS holds the whole workbook in memory, at about ten times its unpacked size. */
const MAX_SHEETJS_BYTES = 40_000_000

/**
 * Opens a spreadsheet of any supported format by its content. Throws SpreadsheetError if it cannot be read, here or while its
 * rows are read. Blocks, so the server calls it only in a worker. With `start`, data after the rows that are read is skipped if
 * the format allows it, so damage there goes unnoticed.
 */
export async function openWorkbook(
  file: SheetFile,
  filename: string,
  extent: Extent = 'whole',
): Promise<Workbook> {
  const { format, text } = await detectFormat(file, filename)
  if (text) return openText(text, filename, format)
  if (format === 'xls') return openWithSheetJs(file, format)
  if (format === 'xlsx' || format === 'xlsm') {
    try {
      return await openXlsx(file, format, { extent })
    } catch (error) {
      if (!(error instanceof BeyondFastReader)) throw error
    }
  }
  await refuseBomb(file, MAX_SHEETJS_BYTES)
  return openWithSheetJs(file, format)
}

/** A text file is a workbook of one sheet, named after the file. */
function openText(text: TextFile, filename: string, format: SpreadsheetFormat): Workbook {
  const budget = fileBudget()
  const name = filename.replace(/^.*[\\/]/, '').replace(/\.[a-z0-9]{1,8}$/i, '') || 'Sheet1'
  return {
    format,
    sheets: [{ name, index: 0, hidden: false }],
    rows: () => csvRows(text, format === 'tsv' ? '\t' : ',', budget),
    close: async () => undefined,
  }
}

import * as XLSX from 'xlsx'
import {
  type Budget,
  counted,
  fileBudget,
  MAX_SHEETS,
  rowBatch,
  tooLarge,
} from '#lib/providers/spreadsheet/budget'
import { booleanText, errorText, type NumberText, numberText } from '#lib/providers/spreadsheet/cell-text'
import {
  MAX_SHEET_ROWS,
  type SheetFile,
  type SheetInfo,
  type SheetRow,
  SpreadsheetError,
  type SpreadsheetFormat,
  type Workbook,
} from '#lib/providers/spreadsheet/port'

/** Any workbook that SheetJS can read. It holds all of it in memory besides the file: about ten times its unpacked size. */
export function openWithSheetJs(file: SheetFile, format: SpreadsheetFormat, budget = fileBudget()): Workbook {
  const book = readBook(file.read(0, file.size))
  if (book.SheetNames.length === 0)
    throw new SpreadsheetError('damaged', 'The file is damaged: it has no sheets.')
  if (book.SheetNames.length > MAX_SHEETS)
    throw tooLarge(`The file has more than ${counted(MAX_SHEETS)} sheets.`)
  const date1904 = book.Workbook?.WBProps?.date1904 === true
  const tabs = book.SheetNames.map((name, at) => ({ at, name, sheet: book.Sheets[name] }))
  const withCells = tabs.filter(({ sheet }) => !isChart(sheet))
  const sheets: SheetInfo[] = withCells.map(({ name, at }, index) => ({
    name,
    index,
    hidden: (book.Workbook?.Sheets?.[at]?.Hidden ?? 0) !== 0,
  }))
  return {
    format,
    sheets,
    rows: (index) => readRows(withCells[index]?.sheet, date1904, budget),
    close: async () => undefined,
  }
}

function readBook(bytes: Uint8Array): XLSX.WorkBook {
  try {
    return XLSX.read(bytes, {
      type: 'array',
      dense: true,
      cellNF: true,
      cellText: false,
      cellHTML: false,
      cellFormula: false,
      sheetRows: MAX_SHEET_ROWS,
    })
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : ''
    if (/password|encrypt/i.test(text)) {
      throw new SpreadsheetError('encrypted', 'The file is protected with a password. Save it without one.', {
        cause,
      })
    }
    throw new SpreadsheetError('damaged', 'The file is damaged: it cannot be read as a spreadsheet.', {
      cause,
    })
  }
}

function isChart(sheet: XLSX.WorkSheet | undefined): boolean {
  return sheet !== undefined && '!type' in sheet && sheet['!type'] !== undefined && sheet['!type'] !== 'sheet'
}

async function* readRows(
  sheet: XLSX.WorkSheet | undefined,
  date1904: boolean,
  budget: Budget,
): AsyncGenerator<SheetRow[]> {
  const data = sheet?.['!data'] ?? []
  const formats = new Map<string, NumberText>()
  const batch = rowBatch(budget)
  for (let at = 0; at < data.length; at++) {
    const cells = Array.from(data[at] ?? [], (cell) => cellText(cell, formats, date1904))
    while (cells.at(-1) === '') cells.pop()
    if (cells.length === 0) continue
    if (batch.add({ row_number: at + 1, cells })) yield batch.take()
  }
  if (!batch.isEmpty()) yield batch.take()
}

function cellText(
  cell: XLSX.CellObject | undefined | null,
  formats: Map<string, NumberText>,
  date1904: boolean,
): string {
  if (!cell || cell.v === undefined || cell.v === null) return ''
  if (cell.t === 's') return String(cell.v)
  if (cell.t === 'b') return booleanText(Boolean(cell.v))
  if (cell.t === 'e') return errorText(Number(cell.v))
  if (cell.t !== 'n') return ''
  const format = typeof cell.z === 'string' ? cell.z : 'General'
  const text = formats.get(format) ?? numberText(format, date1904)
  formats.set(format, text)
  return text(Number(cell.v))
}

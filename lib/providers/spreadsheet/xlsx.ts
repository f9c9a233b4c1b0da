import { type Budget, fileBudget, rowBatch } from '#lib/providers/spreadsheet/budget'
import type { SheetFile, SheetRow, SpreadsheetFormat, Workbook } from '#lib/providers/spreadsheet/port'
import {
  BeyondFastReader,
  findParts,
  readSharedStrings,
  readStyles,
  type Zip,
} from '#lib/providers/spreadsheet/xlsx-parts'
import { type CellContext, rowScanner } from '#lib/providers/spreadsheet/xlsx-rows'
import { wholeElements } from '#lib/providers/spreadsheet/xml'
import { readZipDirectory, streamEntry, type ZipEntry } from '#lib/providers/spreadsheet/zip'

/** Most XML that one sheet may unpack to: 25 MiB of upload at forty times, which only bombs exceed. */
const MAX_SHEET_BYTES = 1_000_000_000

const ROWS = { close: '</row>', end: '</sheetData>', max_chars: 8_000_000, called: 'row' }

/**
 * Reads xlsx and xlsm as a stream: 100,000 rows of 10 columns in about a second, holding the shared strings and a
 * piece of the sheet. Throws BeyondFastReader, before any row, for what it does not speak.
 */
export async function openXlsx(
  file: SheetFile,
  format: SpreadsheetFormat,
  budget: Budget = fileBudget(),
): Promise<Workbook> {
  const zip: Zip = { file, entries: readZipDirectory(file) }
  const parts = await findParts(zip)
  for (const { entry } of parts.sheets) await refuseForeignXml(file, entry)
  const context: CellContext = {
    strings: await readSharedStrings(zip, parts.shared_strings),
    styles: await readStyles(zip, parts.styles, parts.date1904),
    date1904: parts.date1904,
  }
  return {
    format,
    sheets: parts.sheets.map(({ name, hidden }, index) => ({ name, index, hidden })),
    rows: (index) => readRows(file, parts.sheets[index]?.entry, context, budget),
  }
}

async function refuseForeignXml(file: SheetFile, entry: ZipEntry) {
  for await (const piece of streamEntry(file, entry, MAX_SHEET_BYTES)) {
    const start = new TextDecoder().decode(piece.subarray(0, 4_096))
    if (!/<worksheet[\s>]/.test(start)) throw new BeyondFastReader('sheet part')
    return
  }
}

async function* readRows(
  file: SheetFile,
  entry: ZipEntry | undefined,
  context: CellContext,
  budget: Budget,
): AsyncGenerator<SheetRow[]> {
  if (!entry) return
  const scan = rowScanner(context)
  const batch = rowBatch(budget)
  const pieces = streamEntry(file, entry, MAX_SHEET_BYTES)
  for await (const xml of wholeElements(pieces, ROWS)) {
    for (const row of scan(xml)) if (batch.add(row)) yield batch.take()
  }
  if (!batch.isEmpty()) yield batch.take()
}

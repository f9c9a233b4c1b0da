import {
  ROWS_PER_BATCH,
  type SheetRow,
  type SpreadsheetFormat,
  type Workbook,
} from '#lib/providers/spreadsheet/port'
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

/**
 * Reads xlsx and xlsm as a stream: 100,000 rows of 10 columns in about a second, holding the shared strings and a
 * piece of the sheet. Throws BeyondFastReader, before any row, for what it does not speak.
 */
export async function openXlsx(bytes: Uint8Array, format: SpreadsheetFormat): Promise<Workbook> {
  const zip: Zip = { bytes, entries: readZipDirectory(bytes) }
  const parts = findParts(zip)
  for (const { entry } of parts.sheets) await refuseForeignXml(bytes, entry)
  const context: CellContext = {
    strings: await readSharedStrings(zip, parts.shared_strings),
    styles: readStyles(zip, parts.styles, parts.date1904),
    date1904: parts.date1904,
  }
  return {
    format,
    sheets: parts.sheets.map(({ name, hidden }, index) => ({ name, index, hidden })),
    rows: (index) => rowsOf(bytes, parts.sheets[index]?.entry, context),
  }
}

async function refuseForeignXml(bytes: Uint8Array, entry: ZipEntry) {
  for await (const piece of streamEntry(bytes, entry, MAX_SHEET_BYTES)) {
    const start = new TextDecoder().decode(piece.subarray(0, 4_096))
    if (!/<worksheet[\s>]/.test(start)) throw new BeyondFastReader('sheet part')
    return
  }
}

async function* rowsOf(
  bytes: Uint8Array,
  entry: ZipEntry | undefined,
  context: CellContext,
): AsyncGenerator<SheetRow[]> {
  if (!entry) return
  const scan = rowScanner(context)
  let batch: SheetRow[] = []
  for await (const xml of wholeElements(streamEntry(bytes, entry, MAX_SHEET_BYTES), '</row>')) {
    batch = batch.length === 0 ? scan(xml) : batch.concat(scan(xml))
    if (batch.length < ROWS_PER_BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

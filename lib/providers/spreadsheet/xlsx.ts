import { type Budget, fileBudget, rowBatch } from '#lib/providers/spreadsheet/budget'
import type {
  Extent,
  SheetFile,
  SheetRow,
  SpreadsheetFormat,
  Workbook,
} from '#lib/providers/spreadsheet/port'
import { type SharedStrings, sharedStrings } from '#lib/providers/spreadsheet/shared-strings'
import { BeyondFastReader, findParts, readStyles, type Zip } from '#lib/providers/spreadsheet/xlsx-parts'
import { type CellContext, rowScanner } from '#lib/providers/spreadsheet/xlsx-rows'
import { wholeElements } from '#lib/providers/spreadsheet/xml'
import { readZipDirectory, streamEntry, type ZipEntry } from '#lib/providers/spreadsheet/zip'

/** Most unpacked XML of one sheet: 25 MiB of upload at a ratio of forty, which only zip bombs exceed. */
const MAX_SHEET_BYTES = 1_000_000_000

const ROWS = { close: '</row>', end: '</sheetData>', max_chars: 8_000_000, called: 'row' }

/**
 * Reads xlsx and xlsm as a stream: 100,000 rows of 10 columns in about a second, holding the shared strings and one piece of the
 * sheet. Throws BeyondFastReader, before any row, for a form it does not support. With `start`, shared strings are read only up
 * to the last one that the rows refer to.
 */
export async function openXlsx(
  file: SheetFile,
  format: SpreadsheetFormat,
  { extent = 'whole', budget = fileBudget() }: { extent?: Extent; budget?: Budget } = {},
): Promise<Workbook> {
  const zip: Zip = { file, entries: readZipDirectory(file) }
  const parts = await findParts(zip)
  for (const { entry } of parts.sheets) await refuseForeignXml(file, entry)
  const strings = sharedStrings(file, parts.shared_strings)
  await strings.reach(extent === 'whole' ? Number.POSITIVE_INFINITY : 0)
  const context: CellContext = {
    shared: strings.at,
    styles: await readStyles(zip, parts.styles, parts.date1904),
    date1904: parts.date1904,
  }
  return {
    format,
    sheets: parts.sheets.map(({ name, hidden }, index) => ({ name, index, hidden })),
    rows: (index) => {
      const pieces = rowPieces(file, parts.sheets[index]?.entry)
      return readRows(extent === 'whole' ? pieces : reaching(pieces, strings, context), context, budget)
    },
    close: strings.close,
  }
}

async function refuseForeignXml(file: SheetFile, entry: ZipEntry) {
  for await (const piece of streamEntry(file, entry, MAX_SHEET_BYTES)) {
    const start = new TextDecoder().decode(piece.subarray(0, 4_096))
    if (!/<worksheet[\s>]/.test(start)) throw new BeyondFastReader('sheet part')
    return
  }
}

/** The XML of a sheet, cut between rows. */
async function* rowPieces(file: SheetFile, entry: ZipEntry | undefined): AsyncGenerator<string> {
  if (entry) yield* wholeElements(streamEntry(file, entry, MAX_SHEET_BYTES), ROWS)
}

/** The same, each piece after the strings that its cells refer to have been read. */
async function* reaching(
  pieces: AsyncIterable<string>,
  strings: SharedStrings,
  context: CellContext,
): AsyncGenerator<string> {
  let highest = -1
  const survey = rowScanner({
    ...context,
    shared: (index) => {
      if (index > highest) highest = index
      return ''
    },
  })
  for await (const xml of pieces) {
    for (const _ of survey(xml));
    await strings.reach(highest)
    yield xml
  }
}

async function* readRows(
  pieces: AsyncIterable<string>,
  context: CellContext,
  budget: Budget,
): AsyncGenerator<SheetRow[]> {
  const scan = rowScanner(context)
  const batch = rowBatch(budget)
  for await (const xml of pieces) {
    for (const row of scan(xml)) if (batch.add(row)) yield batch.take()
  }
  if (!batch.isEmpty()) yield batch.take()
}

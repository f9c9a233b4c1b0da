import * as XLSX from 'xlsx'
import { SpreadsheetError } from '#lib/providers/spreadsheet/port'
import { previewWorkbook } from '#lib/services/reading/spreadsheet-preview'
import { heldFile } from '#tests/support/files/held-file'
import { xlsxOf } from '#tests/support/files/zip'
import {
  promise,
  promiseCleanPrototypes,
  promiseStorable,
  type Target,
  unlessRefused,
} from '#tests/support/fuzz/target'

const ROWS = [
  ['Email', 'Name', 'When', 'Sum'],
  ['ann@a.test', 'Ann Grün', new Date(Date.UTC(2026, 2, 2)), 1.5],
  ['bob@b.test', '', null, -2],
]

export function bookOf(type: XLSX.BookType): Uint8Array {
  const book = XLSX.utils.book_new()
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(ROWS), 'Leads')
  return new Uint8Array(XLSX.write(book, { type: 'buffer', bookType: type }))
}

/** Any bytes under the file name of a sheet: read, or refused with a message for people. */
export async function promiseOfSheet(bytes: Uint8Array, filename: string): Promise<void> {
  const preview = await unlessRefused(() => previewWorkbook(heldFile(bytes), filename), SpreadsheetError)
  const first = await unlessRefused(
    () => previewWorkbook(heldFile(bytes), filename, 'first'),
    SpreadsheetError,
  )
  promise(first !== null || preview === null, 'what can be read whole can be read in part')
  promiseCleanPrototypes()
  if (!preview) return
  promise(preview.total_sheets <= 500, 'sheets are counted')
  for (const { sample_rows, columns } of Object.values(preview.sheets)) {
    promise(sample_rows.length <= 5, 'a preview shows a few rows')
    // Column names are shortened, and preview values too.
    promise(
      columns.every(({ name }) => name.length <= 1_000),
      'names of columns are bounded',
    )
    promiseStorable({ sample_rows })
  }
}

/** Bytes of whole files. SheetJS reads them in this process; the product runs it in a process with limits of time and memory. */
export const sheets: Target = {
  name: 'sheets',
  max: 64 * 1024,
  is_contained: true,
  seeds: () => [
    ...(['xlsx', 'xlsb', 'biff8', 'biff5', 'ods', 'xlml'] as const).map(bookOf),
    xlsxOf({ rows: '<row><c t="inlineStr"><is><t>a</t></is></c></row>' }),
  ],
  words: [
    'PK\x03\x04',
    'PK\x01\x02',
    'PK\x05\x06',
    '\xd0\xcf\x11\xe0',
    '[Content_Types].xml',
    'xl/workbook.xml',
    'content.xml',
    '<?xml',
    'Workbook',
    '\xff\xff\xff\xff',
    '\0\0\0\0',
    '\x09\x08',
    '\x0a\0\0\0',
  ],
  run: (input) => promiseOfSheet(input, 'a.xlsx'),
}

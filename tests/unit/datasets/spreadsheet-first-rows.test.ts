import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as XLSX from 'xlsx'
import { SpreadsheetError } from '#lib/providers/spreadsheet/port'
import { openXlsx } from '#lib/providers/spreadsheet/xlsx'
import { previewWorkbook } from '#lib/services/reading/spreadsheet-preview'
import { heldFile } from '#tests/support/files/held-file'
import { xlsxOf } from '#tests/support/files/zip'

/** Text that compresses badly, so that the file size grows with the number of rows. */
const cipher = (n: number) => Math.imul(n + 1, 0x9e3779b1).toString(36)

function listOf(rows: number): unknown[][] {
  return [
    ['Email', 'Name', 'Note'],
    ...Array.from({ length: rows }, (_, n) => [
      `${cipher(n)}@a.test`,
      cipher(n * 7),
      `${cipher(n * 13)} ${n}`,
    ]),
  ]
}

function bookOf(
  sheets: Record<string, unknown[][]>,
  bookType: XLSX.BookType = 'xlsx',
): Uint8Array<ArrayBuffer> {
  const book = XLSX.utils.book_new()
  for (const [name, rows] of Object.entries(sheets))
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows), name)
  return new Uint8Array(XLSX.write(book, { type: 'buffer', bookType, compression: true, bookSST: true }))
}

async function firstOf(bytes: Uint8Array, filename = 'a.xlsx') {
  let read = 0
  const file = heldFile(bytes, (size) => {
    read += size
  })
  return { preview: await previewWorkbook(file, filename, 'first'), read }
}

test('the first rows of a long workbook are told of by a fraction of its bytes, without counts', async () => {
  const bytes = bookOf({ Leads: listOf(60_000) })
  const { preview, read } = await firstOf(bytes)
  expect(bytes.length).toBeGreaterThan(4_000_000)
  // A piece or two of the sheet, of the shared strings and of the zip directory, however long the file is.
  expect(read).toBeLessThan(1_200_000)
  const whole = (await previewWorkbook(heldFile(bytes), 'a.xlsx')).sheets.Leads
  expect(whole?.row_count).toBe(60_000)
  expect(preview.sheets.Leads).toEqual({
    ...whole,
    row_count: null,
    columns: whole?.columns.map((column) => ({ ...column, filled_count: null })),
  })
  expect(preview.message).toBe('1 sheet; an import takes "Leads" unless told otherwise.')
})

test('what is wrong behind the first rows shows to whoever reads them all', async () => {
  const bytes = bookOf({ Leads: listOf(60_000) })
  // The sheet comes before its shared strings; neither is unpacked up to the damaged part.
  bytes.fill(0xff, bytes.length * 0.25, bytes.length * 0.3)
  await expect(previewWorkbook(heldFile(bytes), 'a.xlsx')).rejects.toThrow(SpreadsheetError)
  expect((await firstOf(bytes)).preview.sheets.Leads?.header_row).toBe(1)
})

test('a sheet that ends within what is read has its counts', async () => {
  const { preview } = await firstOf(bookOf({ Short: listOf(400), None: [], Long: listOf(3_000) }))
  expect(Object.values(preview.sheets).map(({ name, row_count }) => [name, row_count])).toEqual([
    ['Short', 400],
    ['None', 0],
    ['Long', null],
  ])
  expect(preview.sheets.Short?.columns.map(({ filled_count }) => filled_count)).toEqual([400, 400, 400])
})

test('it reads on over rows of blanks until there is one that holds something', async () => {
  const rows = `${' , \n'.repeat(2_000)}${'Anna,anna@a.test\n'.repeat(2_000)}`
  const sheet = (await firstOf(new TextEncoder().encode(rows), 'a.csv')).preview.sheets.a
  expect(sheet).toMatchObject({ row_count: null, columns: [{ index: 0 }, { index: 1 }] })
})

test('strings are found in whatever order the sheets name them', async () => {
  const strings = Array.from({ length: 90_000 }, (_, n) => `<si><t>${cipher(n)}</t></si>`)
  const last = strings.length - 1
  const rows = `<row r="1"><c t="s"><v>${last}</v></c><c t="s"><v>0</v></c><c t="s"><v>-1</v></c><c t="s"><v>x</v></c><c t="s"><v> 45000 </v></c><c t="s"><v>99999999999</v></c></row>`
  const bytes = xlsxOf({ rows, shared_strings: strings.join('') })
  const book = await openXlsx(heldFile(bytes), 'xlsx', { extent: 'start' })
  for await (const batch of book.rows(0))
    expect(batch).toEqual([{ row_number: 1, cells: [cipher(last), cipher(0), '', '', cipher(45_000)] }])
  await book.close()
})

const value = fc.oneof(
  fc.constantFrom('', 'Email', 'Name', 'ann@a.test', ' ', '007', 'x'.repeat(400)),
  fc.string({ maxLength: 8 }),
  fc.integer({ min: 0, max: 999 }),
)
const sheet = fc
  .tuple(fc.array(fc.array(value, { maxLength: 5 }), { maxLength: 12 }), fc.constantFrom(1, 20, 90))
  .map(([rows, times]) => Array.from({ length: times }, () => rows).flat())
const format = fc.constantFrom('xlsx', 'xlsb', 'biff8', 'ods', 'csv')

test('whatever a file holds, its first rows say of it what all of them say, but for counts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(sheet, { minLength: 1, maxLength: 3 }), format, async (sheets, bookType) => {
      const book = Object.fromEntries(sheets.map((rows, at) => [`S${at}`, rows]))
      const bytes = bookOf(bookType === 'csv' ? { S0: sheets[0] ?? [] } : book, bookType)
      const filename = `a.${bookType === 'biff8' ? 'xls' : bookType}`
      const both = await Promise.all(
        (['all', 'first'] as const).map((rows) =>
          previewWorkbook(heldFile(bytes), filename, rows).catch((error: Error) => error.message),
        ),
      )
      const [all, first] = both
      if (!all || !first || typeof all === 'string' || typeof first === 'string')
        return void expect(first).toEqual(all)
      for (const one of Object.values(first.sheets)) {
        const whole = all.sheets[one.name]
        expect(one.row_count === null || one.row_count === whole?.row_count).toBe(true)
        if (one.row_count === null) expect(whole?.row_count).toBeGreaterThanOrEqual(100)
        expect([one.header_row, one.suggested_mapping, one.sample_rows]).toEqual([
          whole?.header_row,
          whole?.suggested_mapping,
          whole?.sample_rows,
        ])
      }
    }),
    { numRuns: 60 },
  )
}, 60_000)

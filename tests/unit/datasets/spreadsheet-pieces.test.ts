import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as XLSX from 'xlsx'
import { csvRows } from '#lib/providers/spreadsheet/csv'
import { SpreadsheetError } from '#lib/providers/spreadsheet/port'
import { readTextFile } from '#lib/providers/spreadsheet/text-file'
import { openWorkbook } from '#lib/providers/spreadsheet/workbook'
import { csvOf } from '#tests/support/files/csv'
import { heldFile } from '#tests/support/files/held-file'
import { zipOf } from '#tests/support/files/zip'

const ENCODINGS = {
  'utf-8': (text: string) => Buffer.from(text),
  'utf-8 with its mark': (text: string) => Buffer.from(`\ufeff${text}`),
  'utf-16le': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'utf-16be': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  'windows-1252': (text: string) => Buffer.from(text.replace(/[^\n\r -~]/g, 'é'), 'latin1'),
}

/** Content that is awkward at the seam of two pieces: characters of two to four bytes, quotes, CRLF line ends, empty cells. */
const cell = fc.string({
  unit: fc.constantFrom('a', 'B', '1', ' ', 'é', 'ß', '中', '🙂', '"', ',', ';', '\n', '\r\n', '='),
  maxLength: 12,
})
const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 12 })
const encoding = fc.constantFrom(...(Object.keys(ENCODINGS) as (keyof typeof ENCODINGS)[]))

async function rowsIn(bytes: Uint8Array, pieceBytes?: number) {
  const text = readTextFile(heldFile(bytes), pieceBytes)
  if (!text) return null
  const rows = []
  try {
    for await (const batch of csvRows(text, ',')) rows.push(...batch)
  } catch (error) {
    if (!(error instanceof SpreadsheetError)) throw error
    return { refusal: error.message }
  }
  return { encoding: text.encoding, head: text.head, tail: text.tail, chars: text.chars, rows }
}

test('wherever a csv file is cut into pieces, it holds the same rows', async () => {
  await fc.assert(
    fc.asyncProperty(
      table,
      encoding,
      fc.boolean(),
      fc.integer({ min: 1, max: 40 }),
      async (rows, name, isNamed, size) => {
        const text = `${isNamed ? 'sep=;\r\n' : ''}${csvOf(rows, isNamed ? ';' : ',')}`
        const bytes = new Uint8Array(ENCODINGS[name](text))
        const pieceBytes = name.startsWith('utf-16') ? size * 2 : size
        expect(await rowsIn(bytes, pieceBytes)).toEqual(await rowsIn(bytes))
      },
    ),
    { numRuns: 300 },
  )
})

test('whatever bytes are read in pieces, they are judged as the whole is', async () => {
  const bytes = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 200 }),
    fc
      .array(fc.constantFrom(0xef, 0xbf, 0xbd, 0xc3, 0xa9, 0x00, 0x01, 0x22, 0x0a, 0x2c, 0x81, 0xf0, 0x9f), {
        minLength: 1,
        maxLength: 60,
      })
      .map((list) => new Uint8Array(list)),
  )
  await fc.assert(
    fc.asyncProperty(bytes, fc.integer({ min: 1, max: 20 }), async (given, size) => {
      expect(await rowsIn(given, size * 2)).toEqual(await rowsIn(given))
    }),
    { numRuns: 500 },
  )
})

test('a character across the seam of two pieces is read whole', async () => {
  const long = 'a'.repeat(200_000)
  for (const shift of [0, 1, 2, 3]) {
    const bytes = Buffer.from(`Email,${'x'.repeat(shift)}${'🙂'.repeat(100_000)}\n${long},é\n`)
    const read = await rowsIn(bytes)
    expect(read).toMatchObject({ rows: [{}, { cells: [long, 'é'] }] })
    expect(JSON.stringify(read)).not.toContain('\ufffd')
  }
})

/** The largest read: a piece, or the end of a zip with the longest possible comment. */
const MOST_BYTES = 1 << 17

test.each([
  ['csv', () => Buffer.from(`Email,Name\n${'ann@example.com,Ann\n'.repeat(400_000)}`)],
  [
    'tsv in UTF-16',
    () => Buffer.from(`\ufeffEmail\tName\n${'ann@example.com\tÄnn\n'.repeat(200_000)}`, 'utf16le'),
  ],
  [
    'csv in Windows-1252',
    () => Buffer.from(`Email,Name\n${'ann@example.com,\u00c4nn\n'.repeat(300_000)}`, 'latin1'),
  ],
  ['xlsx', () => workbook(60_000)],
  ['xlsx that is not packed', () => workbook(10_000, false)],
  ['zip of nothing else', () => zipOf([{ name: 'a.txt', content: 'x'.repeat(3_000_000) }])],
])('of a large %s, no more than a piece is held at a time', async (kind, make) => {
  const bytes = make()
  let most = 0
  let all = 0
  const file = heldFile(new Uint8Array(bytes), (size) => {
    most = Math.max(most, size)
    all += size
  })
  const filename = kind.startsWith('xlsx') ? 'a.xlsx' : 'a.csv'
  let rows = 0
  try {
    const book = await openWorkbook(file, filename)
    for await (const batch of book.rows(0)) rows += batch.length
  } catch (error) {
    if (!(error instanceof SpreadsheetError)) throw error
  }
  expect(rows > 1_000).toBe(!kind.startsWith('zip'))
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThanOrEqual(MOST_BYTES)
  // Each byte is read a few times, but not once for each row or entry.
  expect(all).toBeLessThan(bytes.length * 4 + 1_000_000)
})

function workbook(rows: number, compression = true): Uint8Array {
  const book = XLSX.utils.book_new()
  const lines = Array.from({ length: rows }, (_, at) => [
    `lead${at * 7919}@example.com`,
    `Name ${at}`,
    at * 1.5,
  ])
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([['Email', 'Name', 'Sum'], ...lines]), 'Leads')
  return new Uint8Array(XLSX.write(book, { type: 'buffer', bookType: 'xlsx', compression }))
}

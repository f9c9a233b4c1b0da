import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as XLSX from 'xlsx'
import { detectFormat } from '#lib/providers/spreadsheet/format'
import { SpreadsheetError } from '#lib/providers/spreadsheet/port'
import { openWorkbook } from '#lib/providers/spreadsheet/workbook'
import { heldFile } from '#tests/support/files/held-file'
import { xlsxOf, zipOf } from '#tests/support/files/zip'

async function read(bytes: Uint8Array, filename: string, sheet = 0) {
  const book = await openWorkbook(heldFile(bytes), filename)
  const rows = []
  for await (const batch of book.rows(sheet)) rows.push(...batch)
  return { ...book, read: rows }
}

async function refusal(bytes: Uint8Array, filename: string) {
  try {
    await read(bytes, filename)
  } catch (error) {
    if (error instanceof SpreadsheetError) return error
    throw error
  }
  throw new Error(`${filename} was read`)
}

const text = (content: string) => new TextEncoder().encode(content)
const cfb = (streams: Record<string, string>) => {
  const container = XLSX.CFB.utils.cfb_new()
  for (const [name, content] of Object.entries(streams))
    XLSX.CFB.utils.cfb_add(container, name, Buffer.from(content))
  return new Uint8Array(XLSX.CFB.write(container, { type: 'buffer' }) as Buffer)
}

const sheet = XLSX.utils.aoa_to_sheet([
  ['Export'],
  [],
  ['Name', 'E-Mail', 'Code', 'Since', 'Long', 'Active', 'Share'],
])
XLSX.utils.sheet_add_aoa(
  sheet,
  [
    [
      'Zoë 王',
      'zoe@example.com',
      { t: 'n', v: 7, z: '00000' },
      { t: 'n', v: 46318, z: 'dd/mm/yyyy' },
      49151123456789,
      true,
      { t: 'n', v: 0.125, z: '0.00%' },
    ],
  ],
  { origin: 'A4' },
)
const book = XLSX.utils.book_new()
XLSX.utils.book_append_sheet(book, sheet, 'Leads')
XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([['secret']]), 'Lists')
XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([]), 'Empty')
book.Workbook = { Sheets: [{ Hidden: 0 }, { Hidden: 2 }, { Hidden: 0 }] }

describe('every format gives the same texts', () => {
  test.each([
    ['xlsx', 'xlsx'],
    ['xlsm', 'xlsm'],
    ['xlsb', 'xlsb'],
    ['xls', 'biff8'],
    ['xls', 'xlml'],
    ['ods', 'ods'],
  ] as const)('%s written as %s', async (format, bookType) => {
    const bytes = new Uint8Array(XLSX.write(book, { type: 'array', bookType }))
    const opened = await read(bytes, 'misnamed.dat')
    expect(opened.format).toBe(format)
    expect(opened.sheets.map(({ name, index }) => [name, index])).toEqual([
      ['Leads', 0],
      ['Lists', 1],
      ['Empty', 2],
    ])
    // SheetJS writes no hidden sheets to ods.
    if (format !== 'ods') expect(opened.sheets.map(({ hidden }) => hidden)).toEqual([false, true, false])
    expect(opened.read).toEqual([
      { row_number: 1, cells: ['Export'] },
      { row_number: 3, cells: ['Name', 'E-Mail', 'Code', 'Since', 'Long', 'Active', 'Share'] },
      {
        row_number: 4,
        cells: ['Zoë 王', 'zoe@example.com', '00007', '2026-10-23', '49151123456789', 'TRUE', '12.50%'],
      },
    ])
    expect((await read(bytes, 'x', 2)).read).toEqual([])
  })

  test.each<[string, Uint8Array, string]>([
    ['comma', text('Name,Note\nZoë,"a, ""b""\nc"\n\n,x'), 'csv'],
    ['semicolon', text('Name;Note\r\nZoë;"a, ""b""\nc"\r\n\r\n;x\r\n'), 'csv'],
    ['tab', text('Name\tNote\nZoë\t"a, ""b""\nc"\n\n\tx'), 'tsv'],
    ['bar', text('Name|Note\nZoë|"a, ""b""\nc"\n\n|x'), 'csv'],
    ['a named delimiter', text('sep=;\nName;Note\nZoë;"a, ""b""\nc"\n\n;x'), 'csv'],
    ['a byte order mark', text('\ufeffName,Note\nZoë,"a, ""b""\nc"\n\n,x'), 'csv'],
    [
      'UTF-16 little-endian',
      new Uint8Array(Buffer.from('\ufeffName\tNote\nZoë\t"a, ""b""\nc"\n\n\tx', 'utf16le')),
      'tsv',
    ],
    [
      'UTF-16 without a mark',
      new Uint8Array(Buffer.from('Name\tNote\nZoë\t"a, ""b""\nc"\n\n\tx', 'utf16le')),
      'tsv',
    ],
    [
      'UTF-16 big-endian',
      new Uint8Array(Buffer.from('\ufeffName,Note\nZoë,"a, ""b""\nc"\n\n,x', 'utf16le').swap16()),
      'csv',
    ],
    ['Windows-1252', new Uint8Array(Buffer.from('Name,Note\nZoë,"a, ""b""\nc"\n\n,x', 'latin1')), 'csv'],
    ['old Macintosh line ends', text('Name,Note\rZoë,"a, ""b""\nc"\r\r,x'), 'csv'],
  ])('text with %s', async (_, bytes, format) => {
    const opened = await read(bytes, 'C:\\lists\\My leads.csv')
    expect(opened).toMatchObject({ format, sheets: [{ name: 'My leads', index: 0, hidden: false }] })
    expect(opened.read).toEqual([
      { row_number: 1, cells: ['Name', 'Note'] },
      { row_number: 2, cells: ['Zoë', 'a, "b"\nc'] },
      { row_number: 4, cells: ['', 'x'] },
    ])
  })

  test.each([
    ['little-endian', (bytes: Buffer) => bytes],
    ['big-endian', (bytes: Buffer) => bytes.swap16()],
  ])('text of Cyrillic in UTF-16 without a mark, %s', async (_, order) => {
    const bytes = order(Buffer.from('Имя;Город\nОльга;Москва\nИгорь;Казань\n', 'utf16le'))
    const opened = await read(new Uint8Array(bytes), 'list.csv')
    expect(opened.read.map(({ cells }) => cells)).toEqual([
      ['Имя', 'Город'],
      ['Ольга', 'Москва'],
      ['Игорь', 'Казань'],
    ])
  })

  test('csv keeps what is written: leading zeros, long numbers, and the ="…" that protects them', async () => {
    const { read: rows } = await read(text('code,n\n00123,1234567890123456789\n"=""007""",=1+1\n'), 'a.csv')
    expect(rows.slice(1).map((row) => row.cells)).toEqual([
      ['00123', '1234567890123456789'],
      ['007', '=1+1'],
    ])
  })

  test('decimal commas do not pass for delimiters', async () => {
    const { read: rows } = await read(text('email;score\na@example.com;1,5\nb@example.com;2,5\n'), 'a.csv')
    expect(rows.map((row) => row.cells.length)).toEqual([2, 2, 2])
  })

  test('nor do commas in cells where lines end in returns alone', async () => {
    const old = 'email;note\ra@example.com;one, two, three, four\rb@example.com;five, six\r'
    const { read: rows } = await read(text(old), 'a.csv')
    expect(rows.map((row) => row.cells.length)).toEqual([2, 2, 2])
  })

  test('a table of text that a web application named .xls is read', async () => {
    expect(await detectFormat(heldFile(text('Name\tEmail\nA\ta@example.com\n')), 'export.xls')).toMatchObject(
      { format: 'tsv' },
    )
  })
})

describe('what is no spreadsheet is refused, and the refusal says what it is', () => {
  const random = Uint8Array.from({ length: 50_000 }, (_, at) => (at * 7919 + (at >> 3) * 104_729) % 256)
  const good = new Uint8Array(XLSX.write(book, { type: 'array', bookType: 'xlsx' }))
  test.each<[string, Uint8Array, string, string, RegExp]>([
    ['no bytes', new Uint8Array(), 'a.xlsx', 'not_a_spreadsheet', /empty/],
    ['blank text', text(' \n\n '), 'a.csv', 'not_a_spreadsheet', /empty/],
    ['random bytes', random, 'a.csv', 'not_a_spreadsheet', /not a spreadsheet/],
    [
      'a picture',
      text('\u0089PNG\r\n\u001a\n\0\0\0\rIHDR'),
      'a.xlsx',
      'not_a_spreadsheet',
      /not a spreadsheet/,
    ],
    ['a PDF', text('%PDF-1.7\n1 0 obj\n'), 'a.csv', 'not_a_spreadsheet', /PDF/],
    ['a web page', text('<!doctype html><table><tr><td>x'), 'a.xls', 'not_a_spreadsheet', /web page/],
    ['JSON', text('[{"email": "a@example.com"}]'), 'a.csv', 'not_a_spreadsheet', /JSON/],
    ['a text', text('Dear Sir,\nnothing here is tabular.\n'), 'a.xlsx', 'not_a_spreadsheet', /plain text/],
    ['an archive', zipOf([{ name: 'a.csv', content: 'a,b' }]), 'a.xlsx', 'not_a_spreadsheet', /archive/],
    [
      'a text document',
      zipOf([
        {
          name: '[Content_Types].xml',
          content:
            '<Types><Override ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
        },
      ]),
      'a.xlsx',
      'not_a_spreadsheet',
      /Office document/,
    ],
    [
      'an OpenDocument text',
      zipOf([
        { name: 'mimetype', content: 'application/vnd.oasis.opendocument.text', stored: true },
        { name: 'content.xml', content: '<x/>' },
      ]),
      'a.ods',
      'not_a_spreadsheet',
      /OpenDocument/,
    ],
    ['an old text document', cfb({ '/WordDocument': 'x' }), 'a.xls', 'not_a_spreadsheet', /Office document/],
    [
      'an encrypted xlsx',
      cfb({ '/EncryptionInfo': 'x', '/EncryptedPackage': 'y' }),
      'a.xlsx',
      'encrypted',
      /password/,
    ],
    [
      'an encrypted zip',
      zipOf([{ name: 'xl/workbook.xml', content: 'x', encrypted: true }]),
      'a.xlsx',
      'encrypted',
      /password/,
    ],
    [
      'an encrypted ods',
      zipOf([
        { name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet', stored: true },
        { name: 'content.xml', content: 'x' },
        { name: 'META-INF/manifest.xml', content: '<manifest:encryption-data/>' },
      ]),
      'a.ods',
      'encrypted',
      /password/,
    ],
    ['half an xlsx', good.slice(0, good.length / 2), 'a.xlsx', 'damaged', /damaged/],
    [
      'an xlsx with a broken sheet',
      good.map((byte, at) => (at > 9_000 && at < 9_400 ? 0xff : byte)),
      'a.xlsx',
      'damaged',
      /damaged/,
    ],
    ['a broken xls', cfb({ '/Workbook': 'nothing of a workbook' }), 'a.xls', 'damaged', /damaged/],
    [
      'a quotation mark that never closes',
      text('a,b\n1,"2\n3,4\n'),
      'a.csv',
      'damaged',
      /row 2 is never closed/,
    ],
  ])('%s', async (_, bytes, filename, code, message) => {
    const error = await refusal(bytes, filename)
    expect({ code: error.code, message: error.message }).toEqual({
      code,
      message: expect.stringMatching(message),
    })
  })

  test('a zip bomb is stopped by what comes out, whatever its directory claims', async () => {
    const bomb = zipOf([
      { name: 'content.xml', content: new Uint8Array(200_000_000), claimed_bytes: 1_000 },
      { name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet', stored: true },
    ])
    expect(bomb.length).toBeLessThan(300_000)
    expect((await refusal(bomb, 'a.ods')).code).toBe('too_large')
  })
})

describe('hostile bytes end in rows or in a refusal, never in another error', () => {
  const samples = (['xlsx', 'xlsb', 'biff8', 'ods'] as const).map(
    (bookType) => new Uint8Array(XLSX.write(book, { type: 'array', bookType })),
  )
  samples.push(
    xlsxOf({ rows: '<row r="1"><c r="A1" t="s"><v>0</v></c></row>', shared_strings: '<si><t>x</t></si>' }),
  )

  async function outcome(bytes: Uint8Array, filename: string) {
    try {
      await read(bytes, filename)
      return 'read'
    } catch (error) {
      if (error instanceof SpreadsheetError) return error.code
      throw error
    }
  }

  test('any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom('a.csv', 'a.xlsx', 'a'),
        async (bytes, name) => {
          expect(await outcome(bytes, name)).toMatch(/read|not_a_spreadsheet|damaged|encrypted|too_large/)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('workbooks with bytes changed or cut', async () => {
    const change = fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }) })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...samples),
        fc.array(change, { maxLength: 8 }),
        fc.double({ min: 0.3, max: 1, noNaN: true }),
        async (sample, changes, share) => {
          const bytes = sample.slice(0, Math.ceil(sample.length * share))
          for (const { at, byte } of changes) bytes[at % bytes.length] = byte
          expect(await outcome(bytes, 'a.bin')).toMatch(/read|not_a_spreadsheet|damaged|encrypted|too_large/)
        },
      ),
      { numRuns: 300 },
    )
  })
})

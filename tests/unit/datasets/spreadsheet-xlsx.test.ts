import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as XLSX from 'xlsx'
import type { SheetRow, Workbook } from '#lib/providers/spreadsheet/port'
import { openWithSheetJs } from '#lib/providers/spreadsheet/sheetjs'
import { openWorkbook } from '#lib/providers/spreadsheet/workbook'
import { openXlsx } from '#lib/providers/spreadsheet/xlsx'
import { BeyondFastReader } from '#lib/providers/spreadsheet/xlsx-parts'
import { heldFile } from '#tests/support/files/held-file'
import { xlsxOf } from '#tests/support/files/zip'

async function rowsOf(book: Workbook, sheet = 0): Promise<SheetRow[]> {
  const rows = []
  for await (const batch of book.rows(sheet)) rows.push(...batch)
  return rows
}

const fast = async (bytes: Uint8Array, sheet = 0) => rowsOf(await openXlsx(heldFile(bytes), 'xlsx'), sheet)
const oracle = async (bytes: Uint8Array, sheet = 0) => rowsOf(openWithSheetJs(heldFile(bytes), 'xlsx'), sheet)

const format = fc.constantFrom(
  'General',
  '0',
  '00000',
  '0.00',
  '#,##0.00',
  '0%',
  'dd/mm/yyyy',
  'yyyy-mm-dd hh:mm',
  'h:mm:ss',
  '@',
  '"x" 0',
)
// SheetJS unescapes text twice; a test below covers the texts for which this matters.
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }).filter((value) => !/&|_x/.test(value)),
  fc.constantFrom(' two  blanks ', 'line\nbreak', ']]>', '="x"', '王 🙂', "'", '</c></row>', '<v>1</v>'),
)
const cell: fc.Arbitrary<XLSX.CellObject | null> = fc.oneof(
  fc.constant(null),
  text.map((v): XLSX.CellObject => ({ t: 's', v })),
  fc.boolean().map((v): XLSX.CellObject => ({ t: 'b', v })),
  fc.constantFrom(0, 7, 15, 23, 29, 36, 42).map((v): XLSX.CellObject => ({ t: 'e', v })),
  fc.record({ t: fc.constant('n' as const), v: fc.integer(), z: format }),
  fc.record({
    t: fc.constant('n' as const),
    v: fc.double({ min: -1e14, max: 1e14, noNaN: true }),
    z: format,
  }),
  fc.record({ t: fc.constant('n' as const), v: fc.double({ min: 0, max: 60_000, noNaN: true }), z: format }),
)
const grid = fc.array(fc.array(cell, { maxLength: 6 }), { maxLength: 12 })

test('over random workbooks the fast reader and SheetJS read the same texts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(grid, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      fc.boolean(),
      fc.boolean(),
      async (grids, bookSST, compression, date1904) => {
        const book = XLSX.utils.book_new()
        grids.forEach((rows, at) => {
          const sheet = XLSX.utils.aoa_to_sheet([[]])
          rows.forEach((row, r) => {
            row.forEach((content, c) => {
              if (content) sheet[XLSX.utils.encode_cell({ r, c })] = content
            })
          })
          sheet['!ref'] = 'A1:F12'
          XLSX.utils.book_append_sheet(book, sheet, `S${at}`)
        })
        book.Workbook = {
          WBProps: { date1904 },
          Sheets: grids.map((_, at) => ({ Hidden: at === 1 ? 1 : 0 })),
        }
        const bytes = new Uint8Array(
          XLSX.write(book, { type: 'array', bookType: 'xlsx', bookSST, compression }),
        )

        expect((await openXlsx(heldFile(bytes), 'xlsx')).sheets).toEqual(
          openWithSheetJs(heldFile(bytes), 'xlsx').sheets,
        )
        for (const at of grids.keys()) expect(await fast(bytes, at)).toEqual(await oracle(bytes, at))
      },
    ),
    { numRuns: 300 },
  )
})

test('texts come back exactly as they were written, entities among them', async () => {
  const written = ['<b>&amp;</b>', '&lt;', '&#65;', '</c></row>', ' two  blanks ']
  for (const bookSST of [true, false]) {
    const book = XLSX.utils.book_new(XLSX.utils.aoa_to_sheet([written]), 'S')
    const bytes = new Uint8Array(XLSX.write(book, { type: 'array', bookType: 'xlsx', bookSST }))
    expect(await texts(bytes)).toEqual([written])
  }
})

const row = (cells: string) => `<row r="1">${cells}</row>`
const texts = async (bytes: Uint8Array) => (await fast(bytes)).map((read) => read.cells)

describe('what other writers write is read as it is meant', () => {
  test.each<[string, string, string[]]>([
    ['inline text', row('<c r="A1" t="inlineStr"><is><t>x &amp; y</t></is></c>'), ['x & y']],
    [
      'inline rich text',
      row(
        '<c r="A1" t="inlineStr"><is><r><rPr><b/></rPr><t>x</t></r><r><t xml:space="preserve"> y</t></r></is></c>',
      ),
      ['x y'],
    ],
    [
      'a formula with a text',
      row('<c r="A1" t="str"><f>A2&amp;"&lt;v&gt;"</f><v>result</v></c>'),
      ['result'],
    ],
    ['a formula with a number', row('<c r="B1"><f t="shared" si="0"/><v>4.5</v></c>'), ['', '4.5']],
    ['a formula that was never computed', row('<c r="A1"><f>1+1</f></c><c r="B1"><v>2</v></c>'), ['', '2']],
    [
      'a boolean and an error',
      row('<c r="A1" t="b"><v>0</v></c><c r="B1" t="e"><v>#DIV/0!</v></c>'),
      ['FALSE', '#DIV/0!'],
    ],
    ['cells in disorder', row('<c r="C1"><v>3</v></c><c r="A1"><v>1</v></c>'), ['1', '', '3']],
    ['cells without a place', row('<c><v>1</v></c><c/><c><v>3</v></c>'), ['1', '', '3']],
    ['apostrophes around attributes', row(`<c r='B1' t='str'><v>x</v></c>`), ['', 'x']],
    [
      'attributes on lines of their own',
      `<row\n r="1"><c\n  r="B1"\n  t="str"><v>x</v></c></row>`,
      ['', 'x'],
    ],
    ['columns beyond Z', row('<c r="AB1"><v>1</v></c>'), [...Array(27).fill(''), '1']],
    [
      'escaped control characters',
      row('<c r="A1" t="str"><v>a_x000a_b_x005F_x0041_</v></c>'),
      ['a\nb_x0041_'],
    ],
    ['character references', row('<c r="A1" t="str"><v>&#x738B;&#128578;&apos;</v></c>'), ["王🙂'"]],
    [
      'numbers with an exponent',
      row('<c r="A1"><v>1.5E3</v></c><c r="B1"><v>4.9151123456789E+13</v></c>'),
      ['1500', '49151123456789'],
    ],
    [
      'numbers longer than a float',
      row('<c r="A1"><v>12345678901234567890</v></c>'),
      ['12345678901234567890'],
    ],
    [
      'dates as ISO text',
      row(
        '<c r="A1" s="1" t="d"><v>2026-10-23T00:00:00</v></c><c r="B1" t="d"><v>2026-10-23T08:30:00.000</v></c>',
      ),
      ['2026-10-23', '2026-10-23T08:30:00'],
    ],
    ['a date format by number', row('<c r="A1" s="1"><v>46318</v></c>'), ['2026-10-23']],
    ['a format of the workbook', row('<c r="A1" s="2"><v>42</v></c>'), ['0042']],
  ])('%s', async (_, rows, cells) => {
    expect(await texts(xlsxOf({ rows, styles: [0, 14, 164], number_formats: { 164: '0000' } }))).toEqual([
      cells,
    ])
  })

  test('shared strings: rich text, reading aids left out, empty ones counted', async () => {
    const shared_strings =
      '<si><t>plain</t></si><si/><si><t/></si><si><r><t>ri</t></r><r><rPr><sz val="9"/></rPr><t>ch</t></r></si>' +
      '<si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/></si>'
    const cells = [0, 1, 2, 3, 4, 99].map((n) => `<c t="s"><v>${n}</v></c>`).join('')
    expect(await texts(xlsxOf({ rows: row(cells), shared_strings }))).toEqual([
      ['plain', '', '', 'rich', '東京'],
    ])
  })

  test('rows keep their numbers: gaps, blank rows, rows without a number', async () => {
    const rows =
      '<row r="3"><c><v>1</v></c></row><row r="4"/><row r="5"><c r="A5" s="1"/></row><row><c><v>2</v></c></row><row r="1048576"><c><v>3</v></c></row>'
    expect((await fast(xlsxOf({ rows }))).map((read) => [read.row_number, read.cells[0]])).toEqual([
      [3, '1'],
      [6, '2'],
      [1_048_576, '3'],
    ])
  })

  test('the 1904 date system', async () => {
    const bytes = xlsxOf({
      rows: row('<c s="1"><v>44856</v></c><c s="1" t="d"><v>2026-10-23T00:00:00</v></c>'),
      styles: [0, 14],
      date1904: true,
    })
    expect(await texts(bytes)).toEqual([['2026-10-23', '2026-10-23']])
  })

  test('tags that only begin alike are left alone', async () => {
    const rows =
      '<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cols><col min="1" max="2"/></cols><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData><rowBreaks count="1"><brk id="1"/></rowBreaks></worksheet>'
    expect(await texts(xlsxOf({ rows }))).toEqual([['1']])
  })

  test('a seam between pieces may lie anywhere', async () => {
    const rows = Array.from(
      { length: 20_000 },
      (_, at) => `<row r="${at + 1}"><c t="str"><v>王${at}</v></c></row>`,
    ).join('')
    const read = await texts(xlsxOf({ rows }))
    expect(read.length).toBe(20_000)
    expect(read.every(([cell], at) => cell === `王${at}`)).toBe(true)
  })
})

test('what the fast reader does not speak is read by SheetJS all the same', async () => {
  const rows =
    '<?xml version="1.0"?><x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData><x:row r="1"><x:c r="A1"><x:v>7</x:v></x:c></x:row></x:sheetData></x:worksheet>'
  await expect(openXlsx(heldFile(xlsxOf({ rows })), 'xlsx')).rejects.toThrow(BeyondFastReader)
  expect(await rowsOf(await openWorkbook(heldFile(xlsxOf({ rows })), 'a.xlsx'))).toEqual([
    { row_number: 1, cells: ['7'] },
  ])
})

import { xlsxOf, zipOf } from '#tests/support/files/zip'

const row = (n: number, cells: string) => `<row r="${n}">${cells}</row>`
const repeated = (n: number, of: (at: number) => string) =>
  Array.from({ length: n }, (_, at) => of(at)).join('')
const text = (content: string) => new TextEncoder().encode(content)
const SMALL = row(1, '<c r="A1" t="s"><v>0</v></c>')
const MB = 1_000_000

function odsOf(table: string): Uint8Array {
  const content = `<?xml version="1.0"?><office:document-content><office:body><office:spreadsheet><table:table table:name="S">${table}</table:table></office:spreadsheet></office:body></office:document-content>`
  return zipOf([
    { name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet', stored: true },
    { name: 'content.xml', content },
  ])
}

/**
 * Small files that are made to be expensive to read: what each is, its file name, its bytes, and how reading it must end
 * (`read`, or the words of the refusal).
 */
export const HOSTILE_FILES: [name: string, filename: string, make: () => Uint8Array, end: RegExp][] = [
  [
    'rows with one cell in the last column',
    'a.xlsx',
    () => xlsxOf({ rows: repeated(5_000, (n) => row(n + 1, `<c r="XFD${n + 1}"><v>1</v></c>`)) }),
    /10,000,000 cells/,
  ],
  [
    'more columns with something in them than a list has',
    'a.xlsx',
    () =>
      xlsxOf({
        rows: row(
          1,
          repeated(16_384, () => '<c><v>1</v></c>'),
        ),
      }),
    /2,000 non-empty columns/,
  ],
  [
    'millions of shared texts',
    'a.xlsx',
    () => xlsxOf({ rows: SMALL, shared_strings: repeated(5 * MB, (n) => `<si><t>t${n}</t></si>`) }),
    /4,000,000 different texts|300 MB of memory/,
  ],
  [
    'one shared text of 50 MB',
    'a.xlsx',
    () => xlsxOf({ rows: SMALL, shared_strings: `<si><t>${'a'.repeat(50 * MB)}</t></si>` }),
    /One text of the file takes more than 1,000,000 characters/,
  ],
  [
    'one text that a million cells show',
    'a.xlsx',
    () =>
      xlsxOf({
        rows: repeated(MB, (n) => row(n + 1, '<c t="s"><v>0</v></c>')),
        shared_strings: `<si><t>${'a'.repeat(900_000)}</t></si>`,
      }),
    /250,000,000 characters/,
  ],
  [
    'reading aids that are never closed',
    'a.xlsx',
    () => xlsxOf({ rows: SMALL, shared_strings: repeated(40, () => `<si>${'<rPh '.repeat(150_000)}</si>`) }),
    /^read$/,
  ],
  [
    'a row that never ends',
    'a.xlsx',
    () => xlsxOf({ rows: `<row r="1">${'<c></c>'.repeat(3 * MB)}` }),
    /One row of the file takes more than 8,000,000 characters/,
  ],
  ['empty rows', 'a.xlsx', () => xlsxOf({ rows: '<row></row>'.repeat(5 * MB) }), /^read$/],
  ['empty cells', 'a.xlsx', () => xlsxOf({ rows: row(1, '<c></c>'.repeat(MB)).repeat(4) }), /^read$/],
  [
    'cells that are never closed',
    'a.xlsx',
    () => xlsxOf({ rows: '<row><c r="A1"></row>'.repeat(2 * MB) }),
    /^read$/,
  ],
  [
    'CDATA that is never closed',
    'a.xlsx',
    () => xlsxOf({ rows: row(1, `<c t="str"><v>${'<![CDATA['.repeat(500_000)}</v></c>`) }),
    /^read$/,
  ],
  [
    'a workbook part of tags that are never closed',
    'a.xlsx',
    () => xlsxOf({ rows: SMALL, sheets: '<sheet '.repeat(500_000) }),
    /./,
  ],
  [
    'a workbook part of 5 MB',
    'a.xlsx',
    () => xlsxOf({ rows: SMALL, sheets: ' '.repeat(5 * MB) }),
    /more than 4 MB/,
  ],
  [
    'a thousand sheets that are one',
    'a.xlsx',
    () => xlsxOf({ rows: SMALL, sheets: '<sheet name="x" r:id="rId1"/>'.repeat(1_000) }),
    /500 sheets/,
  ],
  [
    'two thousand parts',
    'a.xlsx',
    () => zipOf(Array.from({ length: 2_000 }, (_, n) => ({ name: `xl/${n}.xml`, content: 'x' }))),
    /1,000 parts/,
  ],
  [
    'a number format that opens and never closes',
    'a.xlsx',
    () =>
      xlsxOf({
        rows: repeated(200_000, (n) => row(n + 1, '<c s="1"><v>1.5</v></c>')),
        styles: [0, 164],
        number_formats: { 164: '['.repeat(250) },
      }),
    /^read$/,
  ],
  [
    'cells repeated without end',
    'a.ods',
    () =>
      odsOf(
        '<table:table-row table:number-rows-repeated="1000000"><table:table-cell office:value-type="string" table:number-columns-repeated="16000"><text:p>x</text:p></table:table-cell></table:table-row>',
      ),
    /damaged|300 MB of memory|10,000,000 cells|2,000 non-empty columns/,
  ],
  ['OpenDocument of 50 MB', 'a.ods', () => odsOf(' '.repeat(50 * MB)), /more than 40 MB/],
  ['25 MB of commas', 'a.csv', () => text(','.repeat(25 * MB)), /Row 1 of the file has more than 4,000,000/],
  ['lines of commas', 'a.csv', () => text(`${','.repeat(16_000)}\n`.repeat(1_500)), /^read$/],
  ['lines of cells', 'a.csv', () => text(`${'x,'.repeat(1_900)}\n`.repeat(6_000)), /10,000,000 cells/],
  ['25 MB of line ends', 'a.csv', () => text('\n'.repeat(25 * MB)), /1,048,576 rows|empty/],
  [
    '25 MB of quotation marks',
    'a.csv',
    () => text(`a,b\n${'"'.repeat(25 * MB)}`),
    /quotation mark|characters/,
  ],
  ['quotation marks amid words', 'a.csv', () => text('a"b,"c"d\n'.repeat(2 * MB)), /./],
  ['25 MB of brackets', 'a.csv', () => text('['.repeat(25 * MB)), /./],
  ['25 MB of small arrays', 'a.csv', () => text(`[${'[],'.repeat(8 * MB)}[]]`), /JSON/],
  ['25 MB of control characters', 'a.csv', () => text('\u0001'.repeat(25 * MB)), /not a spreadsheet/],
]

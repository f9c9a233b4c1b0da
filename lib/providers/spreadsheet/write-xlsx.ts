import { strToU8, Zip, ZipDeflate } from 'fflate'

export type Cell = string | number | null

/** The limits of a sheet (Excel's; ECMA-376 sets none). */
const MAX_ROWS = 1_048_576
const MAX_CELL = 32_767

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

/**
 * An Office Open XML workbook (ECMA-376) of one table, written while its rows are read, so that memory does not grow with them.
 * Text stays text even if it looks like a number or a formula. Rows beyond a sheet's limit continue on another sheet; text
 * beyond 32,767 characters, which no cell can hold, is cut.
 */
export async function* xlsxParts(
  columns: string[],
  pages: AsyncIterable<Cell[][]>,
): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    ready.push(chunk)
  })
  const begin = (name: string) => {
    const file = new ZipDeflate(name, { level: 6 })
    zip.add(file)
    return file
  }
  const whole = (name: string, xml: string) => begin(name).push(strToU8(HEAD + xml), true)
  let sheets = 0
  let rows = 0
  const beginSheet = () => {
    sheets += 1
    rows = 1
    const file = begin(`xl/worksheets/sheet${sheets}.xml`)
    file.push(strToU8(`${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${rowXml(columns)}`))
    return file
  }
  const endSheet = (file: ZipDeflate) => file.push(strToU8('</sheetData></worksheet>'), true)

  let sheet = beginSheet()
  for await (const page of pages) {
    for (let from = 0; from < page.length; ) {
      if (rows === MAX_ROWS) {
        endSheet(sheet)
        sheet = beginSheet()
      }
      const fitting = page.slice(from, from + MAX_ROWS - rows)
      sheet.push(strToU8(fitting.map(rowXml).join('')))
      rows += fitting.length
      from += fitting.length
    }
    yield* ready.splice(0)
  }
  endSheet(sheet)
  const numbers = Array.from({ length: sheets }, (_, i) => i + 1)
  whole('xl/workbook.xml', workbookXml(numbers))
  whole(
    'xl/_rels/workbook.xml.rels',
    relationsXml(numbers.map((n) => ['worksheet', `worksheets/sheet${n}.xml`])),
  )
  whole('_rels/.rels', relationsXml([['officeDocument', 'xl/workbook.xml']]))
  whole('[Content_Types].xml', contentTypesXml(numbers))
  zip.end()
  yield* ready.splice(0)
}

const rowXml = (cells: Cell[]) => `<row>${cells.map(cellXml).join('')}</row>`

function cellXml(cell: Cell): string {
  if (cell === null || cell === '') return '<c/>'
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`
  return `<c t="inlineStr"><is><t xml:space="preserve">${escaped(cell.slice(0, MAX_CELL))}</t></is></c>`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Characters that XML cannot hold are escaped as ECMA-376 does (ST_Xstring, 22.9.2.19); lone surrogates are replaced. */
const escaped = (text: string) =>
  text
    .toWellFormed()
    .replace(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
    .replace(/(?![\t\n])\p{Cc}|[\uFFFE\uFFFF]/gu, (character) => `_x${hex(character)}_`)
    .replace(/[&<>]/g, (character) => ENTITIES[character] ?? character)

const hex = (character: string) => character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')

const workbookXml = (numbers: number[]) =>
  `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${numbers
    .map((n) => `<sheet name="Sheet${n}" sheetId="${n}" r:id="rId${n}"/>`)
    .join('')}</sheets></workbook>`

const relationsXml = (targets: [type: string, target: string][]) =>
  `<Relationships xmlns="${PACKAGE}/relationships">${targets
    .map(
      ([type, target], i) =>
        `<Relationship Id="rId${i + 1}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`

const contentTypesXml = (numbers: number[]) =>
  `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>${numbers
    .map((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${TYPE}.worksheet+xml"/>`)
    .join('')}</Types>`

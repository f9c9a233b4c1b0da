import { booleanText, generalText, type NumberText } from '#lib/providers/spreadsheet/cell-text'
import { MAX_SHEET_COLUMNS, MAX_SHEET_ROWS, type SheetRow } from '#lib/providers/spreadsheet/port'
import { attribute, nextTag, richText, unescapeXml } from '#lib/providers/spreadsheet/xml'

export type CellContext = {
  /** The shared string with an index; '' if there is none. */
  shared: (index: number) => string
  styles: NumberText[]
  date1904: boolean
}

/**
 * Finds whole `<row>` elements in sheet XML by their tags instead of parsing it: ten times as fast, and sound because `<` cannot
 * stand inside a value. Rows and cells without a reference follow the previous one. Each element is searched only within its
 * parent, so nothing is searched twice; an element that is never closed ends the search.
 */
export function rowScanner(context: CellContext): (xml: string) => Generator<SheetRow> {
  let previousRow = 0

  return function* rowsIn(xml) {
    let at = nextTag(xml, '<row', 0)
    while (at !== -1) {
      const open = xml.indexOf('>', at)
      if (open === -1) break
      const empty = xml[open - 1] === '/'
      const close = empty ? open : xml.indexOf('</row>', open)
      if (close === -1) break
      const named = Number(attribute(xml.slice(at, open), 'r') ?? Number.NaN)
      const rowNumber = Number.isInteger(named) && named > 0 ? named : previousRow + 1
      previousRow = rowNumber
      if (!empty && rowNumber <= MAX_SHEET_ROWS) {
        const cells = rowCells(xml.slice(open + 1, close), context)
        if (cells.length > 0) yield { row_number: rowNumber, cells }
      }
      at = nextTag(xml, '<row', close)
    }
  }
}

/** The texts of a row's cells up to its last filled one. */
function rowCells(row: string, context: CellContext): string[] {
  const cells: string[] = []
  let column = -1
  let at = nextTag(row, '<c', 0)
  while (at !== -1) {
    const open = row.indexOf('>', at)
    if (open === -1) break
    const tag = row.slice(at + 2, open)
    column = readColumn(tag) ?? column + 1
    const selfClosing = row.charCodeAt(open - 1) === 0x2f
    const close = selfClosing ? open : row.indexOf('</c>', open)
    if (close === -1) break
    if (!selfClosing && column < MAX_SHEET_COLUMNS) {
      const text = cellText(row.slice(open + 1, close), tag, context)
      if (text !== '') {
        while (cells.length < column) cells.push('')
        cells[column] = text
      }
    }
    at = nextTag(row, '<c', close)
  }
  return cells
}

/** The 0-based column of `r="AB12"`; null if the cell has no reference. */
function readColumn(tag: string): number | null {
  const at = tag.indexOf(' r=')
  if (at === -1) return null
  let column = 0
  let i = at + 4
  for (; i < tag.length; i++) {
    const code = tag.charCodeAt(i) & ~0x20
    if (code < 0x41 || code > 0x5a) break
    column = column * 26 + code - 0x40
  }
  return column === 0 ? null : column - 1
}

function cellText(inner: string, tag: string, context: CellContext): string {
  const type = readType(tag)
  if (type === 's') {
    const plain = readCount(inner)
    if (plain !== null) return context.shared(plain)
  }
  if (type === 'inlineStr') return richText(inner)
  const raw = rawValue(inner)
  if (raw === null) return ''
  switch (type) {
    case 's':
      return context.shared(Number.parseInt(raw, 10))
    case 'str':
      return unescapeXml(raw)
    case 'b':
      return booleanText(/^(1|true)$/i.test(raw.trim()))
    case 'e':
      return unescapeXml(raw)
    case 'd':
      return isoCell(raw, readStyle(tag), context)
    default:
      return numberCell(raw, readStyle(tag), context)
  }
}

/** A fast path: nearly all text cells are of type `s`, in this spelling. */
function readType(tag: string): string | null {
  if (tag.endsWith(' t="s"')) return 's'
  return tag.includes('t=') ? attribute(tag, 't') : null
}

/** The number in `<v>12</v>`, parsed in place; null in any other spelling. */
function readCount(inner: string): number | null {
  if (!inner.startsWith('<v>')) return null
  let count = 0
  let at = 3
  for (; at < inner.length; at++) {
    const digit = inner.charCodeAt(at) - 0x30
    if (digit < 0 || digit > 9) break
    count = count * 10 + digit
  }
  return at > 3 && inner.startsWith('</v>', at) ? count : null
}

function rawValue(inner: string): string | null {
  const at = nextTag(inner, '<v', 0)
  if (at === -1) return null
  const open = inner.indexOf('>', at)
  if (open === -1 || inner.charCodeAt(open - 1) === 0x2f) return null
  const close = inner.indexOf('</v>', open)
  return close === -1 ? null : inner.slice(open + 1, close)
}

const readStyle = (tag: string) => Number(attribute(tag, 's') ?? 0)

function numberCell(raw: string, style: number, context: CellContext): string {
  const spelled = raw.trim()
  if (spelled === '') return ''
  const value = Number(spelled)
  if (Number.isNaN(value)) return unescapeXml(spelled)
  return (context.styles[style] ?? generalText)(value, spelled)
}

const UNIX_EPOCH_SERIAL = 25_569
const EPOCH_1904_SERIAL = 1_462

/** `t="d"` cells (strict writers) hold their date as ISO text; their style still decides how much of it is shown. */
function isoCell(raw: string, style: number, context: CellContext): string {
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2})\S*)?$/.exec(raw.trim()) ?? []
  const milliseconds = Date.parse(`${day}T${time ?? '00:00:00'}Z`)
  if (day === undefined || Number.isNaN(milliseconds)) return unescapeXml(raw)
  const serial = milliseconds / 86_400_000 + UNIX_EPOCH_SERIAL - (context.date1904 ? EPOCH_1904_SERIAL : 0)
  const shown = (context.styles[style] ?? generalText)(serial)
  // With a style that is no date format, the serial number would be shown instead.
  if (shown !== generalText(serial)) return shown
  return time === undefined ? day : `${day}T${time}`
}

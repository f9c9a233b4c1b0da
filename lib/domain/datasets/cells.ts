/** The largest text of one cell: Excel's limit, which is applied to csv files as well. */
export const MAX_CELL_CHARS = 32_767

/** One row of a sheet: its number as the spreadsheet program shows it, and the text of each cell from column A on. */
export type SheetRow = { row_number: number; cells: string[] }

/** 0 -> 'A', 25 -> 'Z', 26 -> 'AA'. */
export function columnLetter(index: number): string {
  let letters = ''
  for (let n = index + 1; n > 0; n = Math.floor((n - 1) / 26)) {
    letters = String.fromCharCode(65 + ((n - 1) % 26)) + letters
  }
  return letters
}

/** (17, 1) -> 'B17': rows count from 1, as the spreadsheet shows them, columns from 0. */
export function cellRef(rowNumber: number, columnIndex: number): string {
  return `${columnLetter(columnIndex)}${rowNumber}`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const NEEDS_CLEANING = /[\u0000-\u0008\u000b-\u001f\u007f\u200b\u2060\ufeff\ud800-\udfff]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
const INVISIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u200b\u2060\ufeff]/g

/**
 * The text of a cell as it is stored: trimmed, with line ends as \n, without control characters and zero-width spaces (Postgres
 * refuses NUL, and the others are invisible). Joiners that scripts and emoji need are kept.
 */
export function cleanText(text: string): string {
  if (isPlain(text)) return text
  if (!NEEDS_CLEANING.test(text)) return text.trim()
  return text.replace(/\r\n?/g, '\n').replace(INVISIBLE, '').toWellFormed().trim()
}

/** A fast path for most cells: printable ASCII, trimmed, with nothing to remove. */
function isPlain(text: string): boolean {
  const last = text.length - 1
  for (let at = 0; at <= last; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || code > 0x7e || (code === 0x20 && (at === 0 || at === last))) return false
  }
  return true
}

const ERROR_TEXT = /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|GETTING_DATA|SPILL!|CALC!|FIELD!|BLOCKED!)$/

/** True for what a broken formula shows, e.g. `#N/A`. */
export function isErrorText(text: string): boolean {
  return text.startsWith('#') && ERROR_TEXT.test(text)
}

/** True if at least one cell of the row is filled. */
export function isFilledRow(cells: readonly string[]): boolean {
  for (const cell of cells) if (cell !== '' && cleanText(cell) !== '') return true
  return false
}

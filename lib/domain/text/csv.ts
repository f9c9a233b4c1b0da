/**
 * The start of a formula in spreadsheet programs (OWASP, "CSV injection"), also after apostrophes: an import removes one, and a
 * text with its own must keep it.
 */
const FORMULA = /^'*[=+\-@\t\r]/
const QUOTED = /[",\r\n]/

/** One line of RFC 4180. Numbers stay; any other text that could run as a formula gets a leading apostrophe. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: string | number | null): string {
  const text = cell === null ? '' : String(cell)
  const safe = FORMULA.test(text) && !/^[+-]?\d+([.,]\d+)?$/.test(text) ? `'${text}` : text
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/**
 * What a spreadsheet program takes for the start of a formula (OWASP, "CSV injection"), also behind apostrophes: an import
 * takes one off, and a text that had its own keeps it.
 */
const FORMULA = /^'*[=+\-@\t\r]/
const QUOTED = /[",\r\n]/

/** One line of RFC 4180. A number stays one; any other text that would be run as a formula begins with an apostrophe. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: string | number | null): string {
  const text = cell === null ? '' : String(cell)
  const safe = FORMULA.test(text) && !/^[+-]?\d+([.,]\d+)?$/.test(text) ? `'${text}` : text
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

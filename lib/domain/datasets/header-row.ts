import { cleanText, isFilledRow, type SheetRow } from '#lib/domain/datasets/cells'
import { typeOfValue } from '#lib/domain/datasets/column-type'
import { fieldHinted, fieldNamed } from '#lib/domain/datasets/header-names'

/** How many of a sheet's first filled rows are searched for the header: titles above it are rarely longer. */
export const HEADER_SEARCH_ROWS = 25

/**
 * The position in `rows` of the header row; null if the sheet has none (its first rows are data). Known column names decide
 * first; without any, the header is the first row as wide as the rows after it and made of short distinct words. A title is
 * narrower; a data row has addresses, links or numbers.
 */
export function findHeaderRow(rows: readonly SheetRow[]): number | null {
  const filled = rows
    .map((row, at) => ({ at, cells: row.cells.map(cleanText) }))
    .filter((r) => isFilledRow(r.cells))
  const search = filled.slice(0, HEADER_SEARCH_ROWS)
  const width = usualWidth(filled)
  // "Exported by ops@example.com" above the table is narrower than the table, so it is not a lead.
  const dataStart = search.findIndex((row) => isWide(row.cells, width) && row.cells.some(isDataValue))
  const beforeData = dataStart === -1 ? search : search.slice(0, dataStart)

  return knownNames(beforeData, width) ?? firstWideRow(beforeData, width)
}

function knownNames(rows: { at: number; cells: string[] }[], width: number): number | null {
  let best: { at: number; known: number } | null = null
  for (const row of rows) {
    const names = row.cells.filter(Boolean)
    const fields = new Set(
      names
        .filter((name) => name.length <= 60)
        .map(guessField)
        .filter((field) => field !== null),
    )
    const needed = width <= 1 ? 1 : 2
    // One known name is enough if the row otherwise looks like a header.
    const enough =
      fields.size >= needed || (fields.size === 1 && isWide(row.cells, width) && areDistinct(names))
    if (enough && fields.size > (best?.known ?? 0)) best = { at: row.at, known: fields.size }
  }
  return best?.at ?? null
}

function firstWideRow(rows: { at: number; cells: string[] }[], width: number): number | null {
  const header = rows.find((row) => {
    const names = row.cells.filter(Boolean)
    return isWide(row.cells, width) && looksLikeNames(names)
  })
  // In a single column of words, a header cannot be told from the values unless its name is known.
  return header && width > 1 ? header.at : null
}

const guessField = (name: string) => fieldNamed(name) ?? fieldHinted(name)

function looksLikeNames(names: string[]): boolean {
  return areDistinct(names) && names.every((name) => typeOfValue(name) === 'text')
}

function areDistinct(names: string[]): boolean {
  const short = names.every((name) => name.length <= 60)
  return short && new Set(names.map((name) => name.toLowerCase())).size === names.length
}

const isWide = (cells: string[], width: number) => cells.filter(Boolean).length >= Math.max(1, width * 0.6)

/** An address, a link, or a full date, which no header cell is. Plain numbers may be (years as columns). */
function isDataValue(text: string): boolean {
  const type = typeOfValue(text)
  return type === 'email' || type === 'url' || type === 'datetime' || type === 'phone'
}

/** The most frequent filled width, so that one long note row does not set the measure. */
function usualWidth(rows: { cells: string[] }[]): number {
  const widths = rows.slice(0, 100).map((row) => row.cells.filter(Boolean).length)
  widths.sort((a, b) => a - b)
  return widths[Math.floor(widths.length / 2)] ?? 0
}

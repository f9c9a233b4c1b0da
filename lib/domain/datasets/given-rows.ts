import { cleanText, isErrorText, MAX_CELL_CHARS } from '#lib/domain/datasets/cells'
import { MAX_NAME_CHARS, toSlug } from '#lib/domain/datasets/columns'
import { readEmailCell } from '#lib/domain/datasets/email-address'
import { OTHER_EMAILS_FIELD, OTHER_EMAILS_NAME, withOtherEmails } from '#lib/domain/datasets/plan'
import { REJECT_CODES } from '#lib/domain/datasets/rows'

/** Most columns of a dataset: as many as a sheet may fill. */
export const MAX_COLUMNS = 2_000
/** Most rows of a dataset: as many as a sheet has. */
export const MAX_ROWS = 1_048_576

/** Most rows accepted in one request. */
export const MAX_ROWS_AT_ONCE = 1_000

/** Why a given row is refused: the codes of an import, and errors that only rows given by name can have. */
export const ROW_CODES = [
  ...REJECT_CODES,
  'duplicate_profile',
  'empty_row',
  'invalid_column',
  'too_many_columns',
  'too_many_rows',
] as const
export type RowCode = (typeof ROW_CODES)[number]

export type GivenCell = string | number | boolean | null
export type GivenRow = Readonly<Record<string, GivenCell>>
type Column = { name: string; key: string }

export type GivenVerdict =
  /** `emptied` are the columns whose given values are empty. */
  | { kind: 'kept'; email: string | null; cells: Record<string, string>; emptied: string[] }
  /** `field` is the name at fault, as it was given. */
  | { kind: 'refused'; code: RowCode; field: string | null; message: string }

const loose = (name: string) => name.replace(/\s+/g, ' ').trim().toLowerCase()

/** Maps the given names to columns; new columns are remembered until a row that uses them is kept. */
export function columnFinder(columns: readonly Column[]) {
  const byKey = new Map(columns.map((column) => [column.key, column]))
  const byName = new Map(columns.toReversed().map(({ name, key }) => [loose(name), key]))
  const known = new Map<string, string>()

  /** The key of a name: that of an existing column, otherwise its slug; empty if nothing of the name is left. */
  function findKey(name: string): string {
    const before = known.get(name)
    if (before !== undefined) return before
    const short = name.slice(0, MAX_NAME_CHARS)
    const key = byKey.has(name) ? name : (byName.get(loose(short)) ?? toSlug(short))
    known.set(name, key)
    return key
  }

  /** Whether the key has a column, or can get one. */
  function hasRoom(key: string, name: string): boolean {
    if (byKey.has(key)) return true
    if (byKey.size >= MAX_COLUMNS) return false
    const shown = cleanText(name).replace(/\s+/g, ' ').slice(0, MAX_NAME_CHARS).toWellFormed()
    byKey.set(key, { name: shown || key, key })
    return true
  }

  /** The columns, with the new ones that a kept row uses. */
  const withNew = (used: ReadonlySet<string>): Column[] => [
    ...columns,
    ...[...byKey.values()].slice(columns.length).filter(({ key }) => used.has(key)),
  ]
  return { findKey, hasRoom, withNew }
}

export type ColumnFinder = ReturnType<typeof columnFinder>

const refuse = (code: RowCode, field: string | null, message: string): GivenVerdict => ({
  kind: 'refused',
  code,
  field,
  message,
})

/** Checks one row given by names as an import checks the row of a sheet. If two names mean the same column, the first one wins. */
export function judgeGivenRow(row: GivenRow, columns: ColumnFinder): GivenVerdict {
  const cells = new Map<string, string>()
  const emptied = new Set<string>()
  for (const [name, given] of Object.entries(row)) {
    const cell = given === null ? '' : String(given)
    const shown = `“${cleanText(name.slice(0, 100))}”`
    if (cell.length > MAX_CELL_CHARS)
      return refuse('too_long', name, `${shown} has more than ${MAX_CELL_CHARS} characters.`)
    const key = columns.findKey(name)
    if (key === '')
      return refuse('invalid_column', name, `${shown} cannot name a column: it has no letter or digit.`)
    const kept = cleanText(cell)
    if (kept === '' || isErrorText(kept)) emptied.add(key)
    else if (!cells.has(key)) {
      if (!columns.hasRoom(key, name))
        return refuse('too_many_columns', name, `A dataset has at most ${MAX_COLUMNS} columns.`)
      cells.set(key, kept)
    }
  }
  const left = [...emptied].filter((key) => !cells.has(key))
  return withAddress(cells, left, columns)
}

function withAddress(cells: Map<string, string>, emptied: string[], columns: ColumnFinder): GivenVerdict {
  const reading = readEmailCell(cells.get('email') ?? '')
  if (reading.kind === 'invalid') return refuse('invalid_email', 'email', reading.reason)
  if (reading.kind === 'missing') {
    cells.delete('email')
    return { kind: 'kept', email: null, cells: Object.fromEntries(cells), emptied }
  }
  cells.set('email', reading.email)
  if (reading.others.length > 0 && columns.hasRoom(OTHER_EMAILS_FIELD, OTHER_EMAILS_NAME))
    cells.set(OTHER_EMAILS_FIELD, withOtherEmails(cells.get(OTHER_EMAILS_FIELD), reading.others))
  return { kind: 'kept', email: reading.email, cells: Object.fromEntries(cells), emptied }
}

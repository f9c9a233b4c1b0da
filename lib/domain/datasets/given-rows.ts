import { cleanText, isErrorText, MAX_CELL_CHARS } from '#lib/domain/datasets/cells'
import { MAX_NAME_CHARS, toSlug } from '#lib/domain/datasets/columns'
import { readEmailCell } from '#lib/domain/datasets/email-address'
import { OTHER_EMAILS_FIELD, OTHER_EMAILS_NAME, withOtherEmails } from '#lib/domain/datasets/plan'
import { REJECT_CODES } from '#lib/domain/datasets/rows'

/** Most columns that a dataset may come to have: as many as a sheet may fill. */
export const MAX_COLUMNS = 2_000
/** Most rows that it may come to have: as many as a sheet has. */
export const MAX_ROWS = 1_048_576

/** Most that are taken by one request. */
export const MAX_ROWS_AT_ONCE = 1_000

/** Why a given row is passed over: as an import says it, and what can only be wrong with rows that are given by name. */
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
  /** `emptied` are the columns that were named with nothing to keep. */
  | { kind: 'kept'; email: string | null; cells: Record<string, string>; emptied: string[] }
  /** `field` is the name at fault, as it was given. */
  | { kind: 'refused'; code: RowCode; field: string | null; message: string }

const loose = (name: string) => name.replace(/\s+/g, ' ').trim().toLowerCase()

/** Where cells go by the names that they are given under; new columns are remembered until someone keeps them. */
export function columnFinder(columns: readonly Column[]) {
  const byKey = new Map(columns.map((column) => [column.key, column]))
  const byName = new Map(columns.toReversed().map(({ name, key }) => [loose(name), key]))
  const known = new Map<string, string>()

  /** The key of a name: of a column that is there, else its slug; empty where nothing of it is left. */
  function findKey(name: string): string {
    const before = known.get(name)
    if (before !== undefined) return before
    const short = name.slice(0, MAX_NAME_CHARS)
    const key = byKey.has(name) ? name : (byName.get(loose(short)) ?? toSlug(short))
    known.set(name, key)
    return key
  }

  /** Whether the key has a column, or can have one. */
  function hasRoom(key: string, name: string): boolean {
    if (byKey.has(key)) return true
    if (byKey.size >= MAX_COLUMNS) return false
    const shown = cleanText(name).replace(/\s+/g, ' ').slice(0, MAX_NAME_CHARS).toWellFormed()
    byKey.set(key, { name: shown || key, key })
    return true
  }

  /** The columns with those of the new ones that a kept row fills. */
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

/** One row given by names, judged as an import judges the row of a sheet. Of two names of one column the first wins. */
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

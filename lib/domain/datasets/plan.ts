import { columnLetter } from '#lib/domain/datasets/cells'
import { columnNames, freeNames, toSlug } from '#lib/domain/datasets/columns'
import type { LeadField } from '#lib/domain/datasets/lead-fields'

/** Column name -> lead field; null, like an unnamed column, is stored under its slug. */
export type ColumnMapping = Readonly<Record<string, LeadField | null>>

export type ImportPlan = {
  /** 1-based; null if the sheet has no header and its first row is data. */
  header_row: number | null
  email_column: number | null
  email_required: boolean
  /** The name of a column by its 0-based index; columns without a header have one too. */
  columnName: (index: number) => string
  /** The field or slug that a column is stored under. */
  columnField: (index: number) => string
}

export type PlanProblem = {
  code: 'unknown_column' | 'field_mapped_twice' | 'email_not_mapped'
  column: string | null
  message: string
}

/** The field for further addresses of a cell with several. */
export const OTHER_EMAILS_FIELD = 'other_emails'
/** The header of that column. */
export const OTHER_EMAILS_NAME = 'Other emails'

/** The new value of that column: its old value, and further addresses that it does not contain yet. */
export function withOtherEmails(held: string | undefined, others: readonly string[]): string {
  const known = new Set(held?.toLowerCase().split(/[\s,;]+/))
  return [...(held ? [held] : []), ...others.filter((email) => !known.has(email))].join(', ')
}

/**
 * Checks a mapping against the header and determines the field of every column. Column names are matched as the preview shows
 * them, ignoring case and surrounding blanks. No column mapped to email is an error unless `email_required` is false (extraction
 * and enrichment find the address later).
 */
export function planImport(input: {
  header: readonly string[]
  header_row: number | null
  mapping: ColumnMapping
  email_required: boolean
  /** By name, the existing keys in the dataset of columns that are mapped to no field. */
  keys?: ReadonlyMap<string, string>
}): { ok: true; plan: ImportPlan } | { ok: false; problems: PlanProblem[] } {
  const { header, header_row, email_required, keys = new Map() } = input
  const columnName = columnNames(header)
  const { chosen, problems } = resolve(input.mapping, header, columnName)
  const email_column = [...chosen].find(([, field]) => field === 'email')?.[0] ?? null
  if (email_column === null && email_required) {
    const message = 'Choose the column with the email address.'
    problems.push({ code: 'email_not_mapped', column: null, message })
  }
  if (problems.length > 0) return { ok: false, problems }
  const columnField = assignFields(
    withKnown(chosen, columnName, header.length, keys),
    columnName,
    header.length,
  )
  return { ok: true, plan: { header_row, email_column, email_required, columnName, columnField } }
}

function resolve(mapping: ColumnMapping, header: readonly string[], columnName: (index: number) => string) {
  const chosen = new Map<number, LeadField>()
  const problems: PlanProblem[] = []
  const indexByName = new Map(header.map((_, index) => [columnName(index), index]))
  const indexByLooseName = new Map([...indexByName].reverse().map(([name, index]) => [loose(name), index]))
  const columnOfField = new Map<LeadField, string>()

  for (const [column, field] of Object.entries(mapping)) {
    const index =
      indexByName.get(column) ?? indexByLooseName.get(loose(column)) ?? genericIndex(column, columnName)
    const other = field === null ? undefined : columnOfField.get(field)
    if (index === null) {
      const message = `The sheet has no column "${column}".`
      problems.push({ code: 'unknown_column', column, message })
    } else if (other !== undefined) {
      const message = `Both "${other}" and "${column}" are mapped to ${field}. A field can have only one column.`
      problems.push({ code: 'field_mapped_twice', column, message })
    } else if (field !== null) {
      columnOfField.set(field, column)
      chosen.set(index, field)
    }
  }
  return { chosen, problems }
}

const loose = (name: string) => name.replace(/\s+/g, ' ').trim().toLowerCase()

/** "Column D" names a column whose header is empty. */
function genericIndex(column: string, columnName: (index: number) => string): number | null {
  const letters = /^column ([a-z]{1,3})( \(unnamed\))?$/i.exec(column.trim())?.[1]?.toUpperCase()
  if (!letters) return null
  const index = [...letters].reduce((n, letter) => n * 26 + letter.charCodeAt(0) - 64, 0) - 1
  return index < 16_384 && loose(columnName(index)) === loose(column) ? index : null
}

/** Adds the keys that columns have in the dataset; `email` stays reserved for the address. */
function withKnown(
  chosen: ReadonlyMap<number, LeadField>,
  columnName: (index: number) => string,
  width: number,
  keys: ReadonlyMap<string, string>,
): Map<number, string> {
  const fields = new Map<number, string>(chosen)
  const taken = new Set<string>(['email', ...fields.values()])
  for (let index = 0; index < width; index++) {
    const key = keys.get(columnName(index))
    if (key === undefined || fields.has(index) || taken.has(key)) continue
    fields.set(index, key)
    taken.add(key)
  }
  return fields
}

/** Known columns have their field; the others their slug, numbered until it is free; `email` is never a slug. */
function assignFields(
  known: ReadonlyMap<number, string>,
  columnName: (index: number) => string,
  width: number,
) {
  const taken = new Set<string>(['email', ...known.values()])
  const free = freeNames(taken, (slug, n) => `${slug}_${n}`)
  const fields = new Map(known)

  const columnField = (index: number): string => {
    const there = fields.get(index)
    if (there !== undefined) return there
    const slug = toSlug(columnName(index)) || `column_${columnLetter(index).toLowerCase()}`
    const field = free(slug)
    fields.set(index, field)
    return field
  }
  // From left to right, named columns first, so that an unnamed column further right never renames one.
  for (let index = 0; index < width; index++) columnField(index)
  return columnField
}

import { columnLetter } from '#lib/domain/lead-import/cells'
import { columnNames, firstFree, slugOf } from '#lib/domain/lead-import/columns'
import { LEAD_FIELDS } from '#lib/domain/lead-import/header-names'

/** Column name -> field; a field is one of LEAD_FIELDS or a slug of one's own; null or "" leaves the column out. */
export type ColumnMapping = Record<string, string | null>

export type ImportPlan = {
  /** 1-based; null when the sheet has no header and its first row is data. */
  header_row: number | null
  email_column: number | null
  email_required: boolean
  /** Names a column by its 0-based index; columns without a header have one too. */
  nameOf: (index: number) => string
  /** The field a column is kept under; null when it is left out. */
  fieldOf: (index: number) => string | null
}

export type PlanProblem = {
  code: 'unknown_column' | 'unknown_field' | 'field_mapped_twice' | 'email_not_mapped'
  column: string | null
  message: string
}

/** Where the further addresses of a cell with several are kept. */
export const OTHER_EMAILS_FIELD = 'other_emails'

/**
 * Checks a mapping against the header and lays down the field of every column. Column names are matched as preview
 * shows them; blanks around them and their case do not matter. Nothing mapped to email is a problem unless
 * `email_required` is false (extraction and enrichment find the address later).
 */
export function planImport(input: {
  header: readonly string[] | null
  header_row: number | null
  mapping: ColumnMapping
  email_required: boolean
}): { ok: true; plan: ImportPlan } | { ok: false; problems: PlanProblem[] } {
  const nameOf = columnNames(input.header ?? [])
  const { chosen, problems } = resolve(input.mapping, input.header ?? [], nameOf)
  const emailColumn = [...chosen].find(([, field]) => field === 'email')?.[0] ?? null
  if (emailColumn === null && input.email_required) {
    problems.push({
      code: 'email_not_mapped',
      column: null,
      message: 'Choose the column that holds the e-mail address.',
    })
  }
  if (problems.length > 0) return { ok: false, problems }
  return {
    ok: true,
    plan: {
      header_row: input.header_row,
      email_column: emailColumn,
      email_required: input.email_required,
      nameOf,
      fieldOf: fieldsOf(chosen, nameOf, (input.header ?? []).length),
    },
  }
}

function resolve(mapping: ColumnMapping, header: readonly string[], nameOf: (index: number) => string) {
  const chosen = new Map<number, string | null>()
  const problems: PlanProblem[] = []
  const indexByName = new Map(header.map((_, index) => [nameOf(index), index]))
  const indexByLooseName = new Map([...indexByName].reverse().map(([name, index]) => [loose(name), index]))
  const columnOfField = new Map<string, string>()

  for (const [column, wanted] of Object.entries(mapping)) {
    const index =
      indexByName.get(column) ?? indexByLooseName.get(loose(column)) ?? genericIndex(column, nameOf)
    if (index === null) {
      problems.push({ code: 'unknown_column', column, message: `The sheet has no column "${column}".` })
      continue
    }
    const field = wanted?.trim() || null
    if (field !== null && !isFieldName(field)) {
      problems.push({ code: 'unknown_field', column, message: `"${field}" is not a field: ${FIELD_HINT}` })
      continue
    }
    const other = field === null ? undefined : columnOfField.get(field)
    if (field !== null && other !== undefined) {
      problems.push({
        code: 'field_mapped_twice',
        column,
        message: `Both "${other}" and "${column}" are mapped to ${field}; a field takes one column.`,
      })
      continue
    }
    if (field !== null) columnOfField.set(field, column)
    chosen.set(index, field)
  }
  return { chosen, problems }
}

const loose = (name: string) => name.replace(/\s+/g, ' ').trim().toLowerCase()
const FIELD_HINT = `use ${LEAD_FIELDS.join(', ')}, or a name of your own in small letters, digits and _.`

/** Either one of the known fields or a slug as `slugOf` writes them. */
function isFieldName(field: string): boolean {
  return field !== '' && slugOf(field) === field
}

/** "Column D" names a column that the header leaves without a name. */
function genericIndex(column: string, nameOf: (index: number) => string): number | null {
  const letters = /^column ([a-z]{1,3})( \(unnamed\))?$/i.exec(column.trim())?.[1]?.toUpperCase()
  if (!letters) return null
  const index = [...letters].reduce((n, letter) => n * 26 + letter.charCodeAt(0) - 64, 0) - 1
  return index < 16_384 && loose(nameOf(index)) === loose(column) ? index : null
}

/** Mapped columns have their field; the others their slug, numbered until it is free; `email` is never a slug. */
function fieldsOf(chosen: Map<number, string | null>, nameOf: (index: number) => string, width: number) {
  const taken = new Set<string>(['email', OTHER_EMAILS_FIELD])
  for (const field of chosen.values()) if (field !== null) taken.add(field)
  const fields = new Map(chosen)

  const fieldOf = (index: number): string | null => {
    const known = fields.get(index)
    if (known !== undefined) return known
    const slug = slugOf(nameOf(index)) || `column_${columnLetter(index).toLowerCase()}`
    const field = firstFree(taken, slug, (n) => `${slug}_${n}`)
    taken.add(field)
    fields.set(index, field)
    return field
  }
  // Named columns first and from left to right, so that a late unnamed one never renames them.
  for (let index = 0; index < width; index++) fieldOf(index)
  return fieldOf
}

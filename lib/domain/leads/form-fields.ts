import { cleanText } from '#lib/domain/datasets/cells'
import { readEmailCell } from '#lib/domain/datasets/email-address'

/** One field of a form, and the column of the dataset that it fills. */
export type FormField = { name: string; column: string; required: boolean }

/** Most forms of one workspace. */
export const MAX_FORMS = 50
/** The length of the token in a form's URL. It is no secret, but it cannot be guessed. */
export const FORM_TOKEN_BYTES = 15

/** Most fields of one form, and most characters of one value. */
export const MAX_FORM_FIELDS = 20
export const MAX_FORM_CHARS = 2_000

/** The column of the address, which every form needs. */
export const EMAIL_COLUMN = 'email'

/** A hidden field of the form: people leave it empty, programs that fill in everything do not. */
export const HONEYPOT = 'fax_number'

export type FormReading =
  | { kind: 'entry'; email: string; cells: Record<string, string> }
  /** Filled in by a program: it gets the usual answer, and nothing is stored. */
  | { kind: 'trapped' }
  /** Names of the form's fields, never the submitted values. */
  | { kind: 'refused'; missing: string[]; wrong: string[] }

const asText = (value: unknown): string | null => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value.length > MAX_FORM_CHARS ? null : cleanText(value)
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}

/** Parses a submission by the fields of the form. Anything else is ignored. */
export function readFormEntry(
  fields: readonly FormField[],
  given: Readonly<Record<string, unknown>>,
): FormReading {
  if (Object.hasOwn(given, HONEYPOT) && given[HONEYPOT] !== '' && given[HONEYPOT] !== null)
    return { kind: 'trapped' }
  const cells: Record<string, string> = {}
  const missing: string[] = []
  const wrong: string[] = []
  let email = ''
  for (const { name, column, required } of fields) {
    const text = asText(Object.hasOwn(given, name) ? given[name] : undefined)
    if (text === null) wrong.push(name)
    else if (text === '') {
      if (required || column === EMAIL_COLUMN) missing.push(name)
    } else if (column === EMAIL_COLUMN) {
      const reading = readEmailCell(text)
      // With several addresses it is unclear which one is the person's.
      if (reading.kind === 'address' && reading.others.length === 0) email = reading.email
      else wrong.push(name)
    } else cells[column] = text
  }
  if (missing.length + wrong.length > 0) return { kind: 'refused', missing, wrong }
  return { kind: 'entry', email, cells: { ...cells, [EMAIL_COLUMN]: email } }
}

/** What is wrong with the fields of a form, in words; null if nothing is. */
export function formFieldsProblem(fields: readonly FormField[]): string | null {
  const names = fields.map(({ name }) => name)
  const columns = fields.map(({ column }) => column)
  if (columns.filter((column) => column === EMAIL_COLUMN).length !== 1)
    return 'exactly one field must fill the column email'
  if (new Set(names).size < names.length) return 'two fields have the same name'
  if (new Set(columns).size < columns.length) return 'two fields fill the same column'
  return names.includes(HONEYPOT) ? `${HONEYPOT} is reserved for the spam trap` : null
}

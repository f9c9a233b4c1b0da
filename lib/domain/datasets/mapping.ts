import { cleanText } from '#lib/domain/datasets/cells'
import { type ColumnType, typeOfValue } from '#lib/domain/datasets/column-type'
import { fieldHinted, fieldNamed, headerKey } from '#lib/domain/datasets/header-names'
import { LEAD_FIELDS, type LeadField } from '#lib/domain/datasets/lead-fields'

/** A column as the preview shows it; `values` are its cells in the first rows, including empty ones. */
export type ColumnSample = { name: string; type: ColumnType; values: readonly string[] }

/** Words that by themselves mean the whole name, but beside a column for one half of it mean the other half. */
const HALF_NAMES = new Set(
  [
    'name',
    'nom',
    'nombre',
    'nome',
    'naam',
    'namn',
    'navn',
    'nimi',
    'ad',
    'nume',
    'név',
    'jméno',
    'nama',
    'имя',
    '名前',
    '이름',
  ].map(headerKey),
)

/**
 * Which column fills which field, at most one column per field: by the header in many languages, confirmed or contradicted by
 * the column's content, and by content alone if the header says nothing.
 */
export function suggestMapping(columns: readonly ColumnSample[]): Record<string, LeadField> {
  const scored = columns.flatMap((column, index) =>
    LEAD_FIELDS.map((field) => ({ index, name: column.name, field, score: score(column, field) })),
  )
  scored.sort((a, b) => b.score - a.score || a.index - b.index)

  const taken = new Map<number, LeadField>()
  const used = new Set<LeadField>()
  for (const { index, field, score } of scored) {
    if (score < 50 || taken.has(index) || used.has(field)) continue
    taken.set(index, field)
    used.add(field)
  }
  completeNames(columns, taken, used)
  const pairs = [...taken].sort(([a], [b]) => a - b)
  return Object.fromEntries(pairs.map(([index, field]) => [columns[index]?.name ?? '', field]))
}

/**
 * Header: 100 for an exact name, 60 for a mention. Content: up to 60 for fields with a recognizable format; contradicting
 * content rules the field out.
 */
function score(column: ColumnSample, field: LeadField): number {
  const named = fieldNamed(column.name)
  const byHeader = named === field ? 100 : named === null && fieldHinted(column.name) === field ? 60 : 0
  const filled = column.values.map(cleanText).filter(Boolean)
  if (filled.length === 0) return byHeader
  if (contradicts(field, filled)) return 0
  const share = shareFor(field, filled)
  if (byHeader > 0) return byHeader + (share ?? 0) * 30
  // Content alone must not claim a column whose header names another field, unless the column holds nothing of that field.
  const spokenFor = named !== null && !contradicts(named, filled)
  return share !== null && share >= 0.5 && !spokenFor && contentMayDecide(column.name, field)
    ? 40 + share * 20
    : 0
}

/** The share of values in the field's format; null for fields that can hold any text. */
function shareFor(field: LeadField, filled: string[]): number | null {
  const test = SHAPES[field]
  return test ? filled.filter(test).length / filled.length : null
}

const isLinkedIn = (text: string) => /(^|[/.])linkedin\.com\/(in|pub|sales|profile)\b/i.test(text)
const isTimezone = (text: string) =>
  /^(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)\/[A-Za-z0-9_+\-/]+$/.test(
    text,
  ) || /^(UTC|GMT)([+-]\d{1,2}(:?\d{2})?)?$/.test(text)

const SHAPES: Partial<Record<LeadField, (text: string) => boolean>> = {
  email: (text) => typeOfValue(text) === 'email',
  linkedin_url: isLinkedIn,
  website: (text) =>
    typeOfValue(text) === 'url' && !/linkedin\.com|facebook\.com|twitter\.com|x\.com\//i.test(text),
  timezone: isTimezone,
  phone: (text) => typeOfValue(text) === 'phone',
}

const SALUTATION = /^(mr|mrs|ms|miss|mx|dr|prof|herr|frau|mme|mlle|m|sr|sra|srta|sig|dott)\.?$/i

/** Content that the field cannot have, whatever its header says: links in a company column, "Mr" in a title column. */
function contradicts(field: LeadField, filled: string[]): boolean {
  const most = (test: (text: string) => boolean) => filled.filter(test).length / filled.length > 0.5
  if (field === 'title') return most((text) => SALUTATION.test(text))
  if (field === 'email')
    return most((text) => /^(yes|no|true|false|\d+|verified|valid|sent|opened)$/i.test(text))
  if (field === 'linkedin_url')
    return most((text) => /^(yes|no|true|false)$/i.test(text) || /linkedin\.com\/company/i.test(text))
  return most((text) => typeOfValue(text) === 'email')
}

/** A header that says "not the main one" excludes its column from a guess by content. */
function contentMayDecide(name: string, field: LeadField): boolean {
  if (field === 'email') return !/second|other|alternat|2|cc|manager|owner|assistant|sender|from/i.test(name)
  if (field === 'phone') return !/fax|second|other|company|corporate|2/i.test(name)
  if (field === 'website') return !/facebook|twitter|instagram|logo|image|photo|picture|avatar/i.test(name)
  return true
}

/** "Name" beside "Vorname" is the last name, "Nombre" beside "Apellidos" the first. */
function completeNames(
  columns: readonly ColumnSample[],
  taken: Map<number, LeadField>,
  used: Set<LeadField>,
) {
  const missing = used.has('first_name') ? 'last_name' : 'first_name'
  if (used.has('first_name') === used.has('last_name')) return
  for (const [index, field] of taken) {
    const column = columns[index]
    if (!column || field !== 'full_name' || !HALF_NAMES.has(headerKey(column.name))) continue
    const filled = column.values.map(cleanText).filter(Boolean)
    const twoWords = filled.filter((text) => text.includes(' ')).length
    if (twoWords <= filled.length / 2) taken.set(index, missing)
  }
}

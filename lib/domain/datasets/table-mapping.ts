import { LEAD_FIELDS } from '#lib/domain/datasets/lead-fields'

type Field = (typeof LEAD_FIELDS)[number]
type Known = { name: string; key: string }

const plain = (name: string) => name.replace(/\s+/g, ' ').trim().toLowerCase()
const isField = (key: string): key is Field => LEAD_FIELDS.some((field) => field === key)

/**
 * What the columns of a table mean for a dataset that is there: a column of the dataset's by its name, else what was suggested for
 * it, as far as that field is not another's.
 */
export function tableMapping(
  names: readonly string[],
  columns: readonly Known[],
  suggested: Readonly<Record<string, Field | null>>,
): Record<string, Field | null> {
  const keyOf = new Map(columns.map(({ name, key }) => [plain(name), key]))
  const keys = new Map(names.map((name) => [name, keyOf.get(plain(name))]))
  const taken = new Set(keys.values())
  return Object.fromEntries(
    names.map((name) => {
      const key = keys.get(name)
      if (key !== undefined) return [name, isField(key) ? key : null]
      const field = suggested[name] ?? null
      return [name, field !== null && taken.has(field) ? null : field]
    }),
  )
}

import { columnNames } from '#lib/domain/datasets/columns'
import { LEAD_FIELDS } from '#lib/domain/datasets/lead-fields'

type Field = (typeof LEAD_FIELDS)[number]
type Known = { name: string; key: string }

const plain = (name: string) => name.replace(/\s+/g, ' ').trim().toLowerCase()
const isField = (key: string): key is Field => LEAD_FIELDS.some((field) => field === key)

/**
 * The keys of a dataset for the columns of a table, by name. If several of its columns share a name, for example because a
 * session added one beside that of the file, the name means the first; the next one is found by the name that an export of it
 * gets.
 */
export function knownKeys(names: readonly string[], columns: readonly Known[]): Map<string, string> {
  const nameAt = columnNames(columns.map(({ name }) => name))
  const named = columns.map(({ key }, index) => [plain(nameAt(index)), key] as const)
  const keyOf = new Map(named.toReversed())
  const taken = new Set<string>()
  return new Map(
    names.flatMap((name): [string, string][] => {
      const key = keyOf.get(plain(name))
      if (key === undefined || taken.has(key)) return []
      taken.add(key)
      return [[name, key]]
    }),
  )
}

/**
 * Maps the columns of a table to an existing dataset: to the dataset's column of that name (`keys`), otherwise to the suggested
 * field, unless another column has that field.
 */
export function tableMapping(
  names: readonly string[],
  keys: ReadonlyMap<string, string>,
  suggested: Readonly<Record<string, Field | null>>,
): Record<string, Field | null> {
  const taken = new Set(keys.values())
  return Object.fromEntries(
    names.map((name) => {
      const key = keys.get(name)
      if (key !== undefined) return [name, isField(key) ? key : null]
      const field = (Object.hasOwn(suggested, name) && suggested[name]) || null
      return [name, field !== null && taken.has(field) ? null : field]
    }),
  )
}

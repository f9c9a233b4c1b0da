import { ownedThrough } from '#lib/services/workspaces/owned-tables'
import { type Columns, untied } from '#tests/support/statements/judge'
import { idsIn, type Request, requests, texts } from '#tests/support/statements/watch'
import { WITHOUT_WORKSPACE } from '#tests/support/statements/without-workspace'

export const COLUMNS = `SELECT table_name AS name, array_agg(column_name::text) AS columns FROM information_schema.columns
  WHERE table_schema = 'public' GROUP BY table_name`

/**
 * The columns of the tables that belong to a workspace. Tables without a workspace and without a parent's id are instance-wide: rate
 * buckets, seats.
 */
export function ownedColumns(rows: { name: string; columns: string[] }[]): Columns {
  const parts = ownedThrough('', []).map(({ name }) => name)
  const isOwned = (name: string, names: string[]) =>
    names.includes('workspace_id') || (parts.includes(name) && names.some((column) => column.endsWith('_id')))
  return new Map(
    rows.flatMap((row) => (isOwned(row.name, row.columns) ? [[row.name, new Set(row.columns)]] : [])),
  )
}

const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
const isListed = (text: string) => Object.keys(WITHOUT_WORKSPACE).some((part) => plain(text).includes(part))

/**
 * Statements of one request that do not restrict their rows to an owner. An id from the request counts as known once a row was returned
 * with it.
 */
export async function untiedOf({ sent, asked, known }: Request, columns: Columns): Promise<string[]> {
  const seen = new Set(known)
  const found: string[] = []
  for (const { text, values, returned } of sent) {
    const isKnown = (parameter: number) =>
      idsIn(values[parameter - 1]).every((id) => !asked.includes(id) || seen.has(id))
    if (!isListed(text))
      for (const table of await untied(text, columns, isKnown)) found.push(`${table}: ${plain(text)}`)
    for (const id of returned) seen.add(id)
  }
  return found
}

/** Lists of any length count as one statement. */
const shape = (text: string) => text.replaceAll(/\$\d+(,\s*\$\d+)+/g, '$1')

/** Checks everything that the product sent since the test file began, inside requests and outside them. */
export async function findUntied(columns: Columns): Promise<string[]> {
  const found = new Set<string>()
  for (const text of new Map([...texts].map((one) => [shape(one), one])).values())
    if (!isListed(text))
      for (const table of await untied(text, columns, () => true)) found.add(`${table}: ${plain(text)}`)
  for (const request of requests) for (const one of await untiedOf(request, columns)) found.add(one)
  return [...found]
}

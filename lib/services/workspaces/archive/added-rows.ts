import pg, { type PoolClient } from 'pg'
import { refused } from '#lib/services/workspaces/archive/lines'
import type { ArchiveTable } from '#lib/services/workspaces/archive/tables'

type Column = { name: string; type: string }
type Range = { first: number; last: number }

/** Inserts the rows of one table. Returns how many were added, and how many were left out as permitted. */
export async function addRows(client: PoolClient, table: ArchiveTable, values: unknown[]) {
  const { rows } = await client.query<Range & { count: number }>(
    `SELECT count(*)::int AS count, min(line) AS first, max(line) AS last FROM archive_rows WHERE name = $1`,
    [table.name],
  )
  const { count = 0, first = 0, last = 0 } = rows[0] ?? {}
  if (count === 0) return { added: 0, passed_over: 0 }
  const statement = insertion(table, await usedColumns(client, table))
  const add = (range: Range) => client.query(statement, [...values, range.first, range.last])
  await client.query('SAVEPOINT rows_of_table')
  try {
    const added = (await add({ first, last })).rowCount ?? 0
    return { added, passed_over: count - added }
  } catch (error) {
    const said = words(error)
    if (!said) throw error
    await client.query('ROLLBACK TO SAVEPOINT rows_of_table')
    const line = await firstRefused(client, { first, last }, add)
    throw refused(`line ${line} of the archive (${table.name}) ${said}`, error)
  }
}

/** Explains why the database refuses an archive's row; null if the row is not at fault. */
function words(error: unknown): string | null {
  if (!(error instanceof pg.DatabaseError)) return null
  const { code = '', table = '', column } = error
  const where = table ? `: ${column ? `${table}.${column}` : table}` : ''
  if (code === '23505') return `has an id or a name that is there already, or twice in it${where}.`
  if (code === '23502' || code === '23503')
    return `lacks what it needs, or names something that is not in the archive${where}.`
  const isOfValue = code === '23514' || code.startsWith('22') || code.startsWith('54')
  return isOfValue ? `has a value that is not one that its column takes${where}.` : null
}

/**
 * Finds the first refused line by bisection. A half that is accepted stays inserted, so all tries together insert at most about twice the
 * rows.
 */
async function firstRefused(
  client: PoolClient,
  { first, last }: Range,
  add: (range: Range) => Promise<unknown>,
): Promise<number> {
  let low = first
  let high = last
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    await client.query('SAVEPOINT half')
    try {
      await add({ first: low, last: middle })
      low = middle + 1
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error
      await client.query('ROLLBACK TO SAVEPOINT half')
      high = middle
    }
  }
  return low
}

/** One statement for all of a table's rows between the lines `$4` and `$5`. */
function insertion(table: ArchiveTable, columns: Column[]): string {
  const { name, id, only = 'true', loose = [], keeps = [], later } = table
  const known = (column: string) => `EXISTS (SELECT 1 FROM archive_ids i WHERE i.id = r."${column}")`
  const set: Record<string, string> = { ...table.set, workspace_id: '$1::uuid' }
  const value = (column: Column) => {
    const said = set[column.name]
    if (said) return `(${said})::${column.type}`
    if (column.name === later) return `NULL::${column.type}`
    const isName = column.type === 'uuid' && column.name !== id && !keeps.includes(column.name)
    return isName ? `CASE WHEN ${known(column.name)} THEN r."${column.name}" END` : `r."${column.name}"`
  }
  return `WITH who AS (SELECT $1::uuid, $2::uuid, $3::timestamptz)
     INSERT INTO "${name}" (${columns.map((column) => `"${column.name}"`).join(', ')})
     SELECT ${columns.map(value).join(', ')} FROM archive_rows x, jsonb_populate_record(NULL::"${name}", x.row) r
     WHERE x.name = '${name}' AND x.line BETWEEN $4 AND $5 AND ${[only, ...loose.map(known)].join(' AND ')}`
}

/** The columns that the rows have, and those set by the import. A column that no export of this release has refuses the archive. */
async function usedColumns(
  client: PoolClient,
  { name, set = {}, left = {} }: ArchiveTable,
): Promise<Column[]> {
  const { rows: given } = await client.query<{ key: string; line: number }>(
    `SELECT key, min(x.line) AS line FROM archive_rows x, jsonb_object_keys(x.row) key
     WHERE x.name = $1 GROUP BY key ORDER BY line`,
    [name],
  )
  const { rows: there } = await client.query<Column>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [name],
  )
  const known = new Set(there.map((column) => column.name))
  const foreign = given.find(({ key }) => !known.has(key) || key in left)
  if (foreign)
    throw refused(
      `line ${foreign.line} has what no export of this release has, ${name}.${foreign.key.slice(0, 60)}.`,
    )
  const keys = new Set(given.map(({ key }) => key))
  return there.filter((column) => keys.has(column.name) || column.name in set)
}

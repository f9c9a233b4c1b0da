import pg, { type PoolClient } from 'pg'
import { pool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import { workspaceSlug } from '#lib/domain/workspaces/slug'
import { type ArchiveRow, readArchive, refused } from '#lib/services/workspaces/archive/lines'
import { ARCHIVE_TABLES, type ArchiveTable } from '#lib/services/workspaces/archive/tables'
import { MAX_OWNED } from '#lib/services/workspaces/workspaces'

const BATCH_ROWS = 500
const BATCH_CHARACTERS = 8_000_000

type Imported = {
  workspace_id: string
  name: string
  slug: string
  rows: number
  left_out: Record<string, number>
}

/**
 * A workspace from an export of this or another instance, for its new owner. Ids are kept, so that answers to what was sent
 * still find their leads: where one is taken already, nothing comes in. All of it is one transaction, and nobody sees a part.
 */
export async function importWorkspace(
  userId: string,
  parts: AsyncIterable<Uint8Array>,
  now: Date,
): Promise<Imported> {
  const { header, rows } = await readArchive(parts)
  const { workspace_id } = header
  return inTransaction(pool(), async (client) => {
    await stage(client, rows)
    await indexIds(client)
    const { name, slug } = await addWorkspace(client, workspace_id, userId)
    let count = 0
    for (const table of ARCHIVE_TABLES) count += await addRows(client, table, [workspace_id, userId, now])
    await recount(client, workspace_id)
    return { workspace_id, name, slug, rows: count, left_out: await leftOut(client) }
  }).catch((error: unknown) => {
    throw explained(error)
  })
}

/** What the database refuses of a stranger's rows, in words. */
function explained(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error
  const where = error.table ? ` (${error.table}${error.column ? `.${error.column}` : ''})` : ''
  if (error.code === '23505') return refused(`an id of it is there already, or twice in it${where}.`, error)
  if (error.code === '23502' || error.code === '23503')
    return refused(`a row lacks what it needs, or names something that is not in it${where}.`, error)
  if (error.code === '23514' || error.code?.startsWith('22'))
    return refused(`a value is not one that its column takes${where}.`, error)
  return error
}

async function stage(client: PoolClient, rows: AsyncIterable<ArchiveRow>): Promise<void> {
  await client.query('CREATE TEMP TABLE archive_rows (name text NOT NULL, row jsonb NOT NULL) ON COMMIT DROP')
  let batch: ArchiveRow[] = []
  let size = 0
  const flush = async () => {
    await client.query('INSERT INTO archive_rows SELECT * FROM unnest($1::text[], $2::jsonb[])', [
      batch.map(({ table }) => table),
      batch.map(({ row }) => row),
    ])
    batch = []
    size = 0
  }
  for await (const row of rows) {
    batch.push(row)
    size += row.row.length
    if (batch.length >= BATCH_ROWS || size > BATCH_CHARACTERS) await flush()
  }
  await flush()
  await client.query('CREATE INDEX ON archive_rows (name)')
}

/** Everything that rows of the archive may name: what it brings itself, and nothing that is there already. */
async function indexIds(client: PoolClient): Promise<void> {
  await client.query('CREATE TEMP TABLE archive_ids (id uuid PRIMARY KEY) ON COMMIT DROP')
  for (const { name, id, only = 'true' } of ARCHIVE_TABLES)
    if (id)
      await client.query(
        `INSERT INTO archive_ids SELECT (x.row->>'${id}')::uuid FROM archive_rows x WHERE x.name = $1 AND ${only}`,
        [name],
      )
  await client.query('ANALYZE archive_rows')
  await client.query('ANALYZE archive_ids')
}

/** Its plan, what is paid for it and its people are not the archive's to say. */
async function addWorkspace(client: PoolClient, workspaceId: string, userId: string) {
  await client.query('SELECT 1 FROM users WHERE user_id = $1 FOR UPDATE', [userId])
  const { rows: owned } = await client.query(
    `SELECT 1 FROM members WHERE user_id = $1 AND role = 'owner' LIMIT ${MAX_OWNED}`,
    [userId],
  )
  if (owned.length >= MAX_OWNED) throw refused(`you own ${MAX_OWNED} workspaces already.`)
  const { rows: found } = await client.query<{ name: string | null; timezone: string | null }>(
    `SELECT left(row->>'name', 100) AS name, row->>'timezone' AS timezone FROM archive_rows
     WHERE name = 'workspaces' AND row->>'workspace_id' = $1`,
    [workspaceId],
  )
  const [one, another] = found
  if (!one?.name?.trim() || another) throw refused('it does not hold one workspace.')
  const slug = workspaceSlug(one.name, workspaceId)
  await client.query(
    'INSERT INTO workspaces (workspace_id, name, slug, timezone, updated_at) VALUES ($1, $2, $3, $4, now())',
    [workspaceId, one.name, slug, zone(one.timezone)],
  )
  await client.query(`INSERT INTO members (workspace_id, user_id, role) VALUES ($1, $2, 'owner')`, [
    workspaceId,
    userId,
  ])
  return { name: one.name, slug }
}

const ZONES = new Set(Intl.supportedValuesOf('timeZone'))
const zone = (name: string | null) => (name && ZONES.has(name) ? name : 'UTC')

type Column = { name: string; type: string }

/** The rows of one table in one statement; answers how many there were. */
async function addRows(client: PoolClient, table: ArchiveTable, values: unknown[]): Promise<number> {
  const columns = await usedColumns(client, table)
  if (columns.length === 0) return 0
  const { name, id, only = 'true', loose = [], keeps = [] } = table
  const known = (column: string) => `EXISTS (SELECT 1 FROM archive_ids i WHERE i.id = r."${column}")`
  const set: Record<string, string> = { ...table.set, workspace_id: '$1::uuid' }
  const value = (column: Column) => {
    const said = set[column.name]
    if (said) return `(${said})::${column.type}`
    const isName = column.type === 'uuid' && column.name !== id && !keeps.includes(column.name)
    return isName ? `CASE WHEN ${known(column.name)} THEN r."${column.name}" END` : `r."${column.name}"`
  }
  const { rowCount } = await client.query(
    `WITH who AS (SELECT $1::uuid, $2::uuid, $3::timestamptz)
     INSERT INTO "${name}" (${columns.map((column) => `"${column.name}"`).join(', ')})
     SELECT ${columns.map(value).join(', ')} FROM archive_rows x, jsonb_populate_record(NULL::"${name}", x.row) r
     WHERE x.name = '${name}' AND ${[only, ...loose.map(known)].join(' AND ')}`,
    values,
  )
  return rowCount ?? 0
}

/** The columns that the rows have, and those that are set here; one that this release does not have refuses the archive. */
async function usedColumns(client: PoolClient, { name, set = {} }: ArchiveTable): Promise<Column[]> {
  const { rows: given } = await client.query<{ key: string }>(
    'SELECT DISTINCT key FROM archive_rows x, jsonb_object_keys(x.row) key WHERE x.name = $1',
    [name],
  )
  if (given.length === 0) return []
  const { rows: there } = await client.query<Column>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [name],
  )
  const keys = new Set(given.map(({ key }) => key))
  const foreign = [...keys].find((key) => !there.some((column) => column.name === key))
  if (foreign) throw refused(`this release has no ${name}.${foreign.slice(0, 60)}.`)
  return there.filter((column) => keys.has(column.name) || column.name in set)
}

/** The triggers count leads as they come in; what counts the ledger hears of changes only. */
async function recount(client: PoolClient, workspaceId: string): Promise<void> {
  await client.query(
    `UPDATE campaigns c SET sent_count = a.sent, uncertain_count = a.uncertain
     FROM (SELECT campaign_id, count(*) FILTER (WHERE status = 'sent') AS sent,
         count(*) FILTER (WHERE status = 'uncertain') AS uncertain
       FROM actions WHERE workspace_id = $1 GROUP BY campaign_id) a
     WHERE c.campaign_id = a.campaign_id AND c.workspace_id = $1`,
    [workspaceId],
  )
}

/** How many rows of which tables stay behind. */
async function leftOut(client: PoolClient): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string; count: number }>(
    'SELECT name, count(*)::int AS count FROM archive_rows WHERE NOT name = ANY ($1) GROUP BY name ORDER BY name',
    [[...ARCHIVE_TABLES.map(({ name }) => name), 'workspaces']],
  )
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

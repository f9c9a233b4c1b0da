import pg, { type PoolClient } from 'pg'
import { pool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import { workspaceSlug } from '#lib/domain/workspaces/slug'
import { addRows } from '#lib/services/workspaces/archive/added-rows'
import { type ArchiveRow, readArchive, refused } from '#lib/services/workspaces/archive/lines'
import { remake } from '#lib/services/workspaces/archive/remade'
import { ARCHIVE_TABLES, WORKSPACE_SETTINGS } from '#lib/services/workspaces/archive/tables'
import { MAX_OWNED } from '#lib/services/workspaces/workspaces'

const BATCH_ROWS = 500
const BATCH_CHARACTERS = 8_000_000

export type Imported = {
  workspace_id: string
  name: string
  slug: string
  /** How many rows were imported, in total and by table. */
  rows: number
  tables: Record<string, number>
  /** How many rows were left out, by table. */
  left_out: Record<string, number>
}

/**
 * Imports a workspace from an export of this or another instance, for its new owner. Ids are kept, so that replies to sent mail still find
 * their leads; if one is taken already, nothing is imported. Everything is one transaction, at whose end `then` runs, so nobody sees a
 * partial import.
 */
export async function importWorkspace(
  userId: string,
  parts: AsyncIterable<Uint8Array>,
  now: Date,
  then: (client: PoolClient, imported: Imported) => Promise<void> = async () => undefined,
): Promise<Imported> {
  const { workspace_id, rows, left_out } = await readArchive(parts)
  return inTransaction(pool(), async (client) => {
    await stage(client, rows)
    await indexIds(client)
    const { name, slug } = await addWorkspace(client, workspace_id, userId)
    const tables: Record<string, number> = {}
    for (const table of ARCHIVE_TABLES) {
      const { added, passed_over } = await addRows(client, table, [workspace_id, userId, now])
      if (added > 0) tables[table.name] = added
      if (passed_over > 0) left_out.set(table.name, passed_over)
    }
    await fillLater(client)
    await remake(client, workspace_id, now)
    await recount(client, workspace_id)
    const count = Object.values(tables).reduce((sum, added) => sum + added, 0)
    const imported = { workspace_id, name, slug, rows: count, tables, left_out: Object.fromEntries(left_out) }
    await then(client, imported)
    return imported
  })
}

async function stage(client: PoolClient, rows: AsyncIterable<ArchiveRow>): Promise<void> {
  await client.query(
    'CREATE TEMP TABLE archive_rows (name text NOT NULL, line int NOT NULL, row jsonb NOT NULL) ON COMMIT DROP',
  )
  let batch: ArchiveRow[] = []
  let size = 0
  const flush = async () => {
    await client.query('INSERT INTO archive_rows SELECT * FROM unnest($1::text[], $2::int[], $3::jsonb[])', [
      batch.map(({ table }) => table),
      batch.map(({ line }) => line),
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
  await client.query('CREATE INDEX ON archive_rows (name, line)')
}

/** Indexes all ids that rows of the archive may reference: only those in the archive itself. */
async function indexIds(client: PoolClient): Promise<void> {
  await client.query(
    'CREATE TEMP TABLE archive_ids (id uuid NOT NULL, name text NOT NULL, line int NOT NULL) ON COMMIT DROP',
  )
  for (const { name, id, only = 'true' } of ARCHIVE_TABLES)
    if (id)
      await client.query(
        `INSERT INTO archive_ids SELECT (x.row->>'${id}')::uuid, name, line FROM archive_rows x WHERE x.name = $1 AND ${only}`,
        [name],
      )
  await client.query('CREATE INDEX ON archive_ids (id)')
  await client.query('ANALYZE archive_rows')
  await client.query('ANALYZE archive_ids')
  const { rows: twice } = await client.query<{ name: string; line: number; first: number }>(
    `SELECT i.name, i.line, first.line AS first FROM archive_ids first JOIN archive_ids i USING (name, id)
     WHERE i.line > first.line ORDER BY i.line LIMIT 1`,
  )
  if (twice[0]) {
    const { name, line, first } = twice[0]
    throw refused(`line ${line} (${name}) has the id of line ${first}, twice in the archive.`)
  }
}

/** Creates the workspace. Its plan, billing and members do not come from the archive. */
async function addWorkspace(client: PoolClient, workspaceId: string, userId: string) {
  await client.query('SELECT 1 FROM users WHERE user_id = $1 FOR UPDATE', [userId])
  const { rows: owned } = await client.query(
    `SELECT 1 FROM members WHERE user_id = $1 AND role = 'owner' LIMIT ${MAX_OWNED}`,
    [userId],
  )
  if (owned.length >= MAX_OWNED) throw refused(`you own ${MAX_OWNED} workspaces already.`)
  const { rows: found } = await client.query<{ name: string | null; timezone: string | null }>(
    `SELECT left(row->>'name', 100) AS name, row->>'timezone' AS timezone FROM archive_rows WHERE name = 'workspaces'`,
  )
  const [one, another] = found
  if (!one?.name?.trim() || another) throw refused('it does not hold one workspace.')
  const slug = workspaceSlug(one.name, workspaceId)
  try {
    await client.query(
      'INSERT INTO workspaces (workspace_id, name, slug, updated_at) VALUES ($1, $2, $3, now())',
      [workspaceId, one.name, slug],
    )
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '23505')
      throw refused('this workspace is there already, on this instance.', error)
    throw error
  }
  await keepSettings(client, workspaceId, zone(one.timezone))
  await client.query(`INSERT INTO members (workspace_id, user_id, role) VALUES ($1, $2, 'owner')`, [
    workspaceId,
    userId,
  ])
  return { name: one.name, slug }
}

const ZONES = new Set(Intl.supportedValuesOf('timeZone'))
const zone = (name: string | null) => (name && ZONES.has(name) ? name : 'UTC')

/** Restores its settings, which were validated when the line was read; an older export has fewer. */
async function keepSettings(client: PoolClient, workspaceId: string, timezone: string): Promise<void> {
  const settings = WORKSPACE_SETTINGS.map(
    (name) => `"${name}" = CASE WHEN x.row ? '${name}' THEN r."${name}" ELSE w."${name}" END`,
  )
  await client.query(
    `UPDATE workspaces w SET ${settings.join(', ')}
     FROM archive_rows x, jsonb_populate_record(NULL::workspaces, x.row || jsonb_build_object('timezone', $2::text)) r
     WHERE x.name = 'workspaces' AND w.workspace_id = $1`,
    [workspaceId, timezone],
  )
}

/** Sets references to rows that were inserted later. */
async function fillLater(client: PoolClient): Promise<void> {
  for (const { name, id, later } of ARCHIVE_TABLES)
    if (later)
      await client.query(
        `UPDATE "${name}" t SET "${later}" = named.id FROM archive_rows x, archive_ids named
         WHERE x.name = '${name}' AND named.id = (x.row->>'${later}')::uuid AND t."${id}" = (x.row->>'${id}')::uuid`,
      )
}

/** Recounts what is counted from the ledger: triggers count inserted leads, but for the ledger only changes. */
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

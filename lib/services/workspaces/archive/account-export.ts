import type { PoolClient } from 'pg'
import type { FileAnswer } from '#lib/contracts/fields'
import { pool } from '#lib/db/client'
import type { Maker } from '#lib/domain/workspaces/maker'
import { withExportSeat } from '#lib/services/files/export-seats'
import { fileStorage } from '#lib/services/files/storage'
import { ARCHIVE_VERSION } from '#lib/services/workspaces/archive/lines'
import { type OwnedTable, ownedTables } from '#lib/services/workspaces/owned-tables'

/** Passwords, keys and internal columns, by name, so that a new column that matches is left out by default. */
const SECRET = /password|secret|digest|private|token(?!s_|s$)|lease|^key$|^bytes$/
export const isSecret = (column: string) => SECRET.test(column)
/** Rows per fetch: few, because a row may hold a whole mail. */
const FETCH = 500
const FETCH_HEAVY = 10
const HEAVY = new Set(['sandbox_messages', 'inbound_messages', 'inbox_messages'])
/** Tables that only serve limits, wake-ups and counters. */
const LEFT_OUT = new Set([
  'rate_limits',
  'seats',
  'thread_presence',
  'contact_wakes',
  'action_counts',
  'contact_counts',
  'lead_counts',
  'lead_endings',
  'dataset_texts',
  'people_texts',
  'sent_copies',
])

/**
 * Everything that belongs to a person and their current workspace, as lines of JSON, from one snapshot, read through a cursor while it is
 * written. For an API key only the workspace's data, since a person's data concerns their other workspaces too.
 */
export async function exportEverything(
  { workspace_id, user_id, credential }: Maker & { credential?: 'jwt' | 'api_key' },
  now: Date,
): Promise<FileAnswer> {
  const date = now.toISOString().slice(0, 10)
  const parts = encoded(lines({ workspace_id, user_id }, credential === 'api_key' ? null : user_id, now))
  return withExportSeat(workspace_id, { filename: `opener-${date}.ndjson`, format: 'ndjson', parts })
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const text of texts) yield encoder.encode(text)
}

const line = (value: unknown) => `${JSON.stringify(value)}\n`

async function* lines(
  { workspace_id, user_id }: Maker,
  person: string | null,
  now: Date,
): AsyncGenerator<string> {
  yield line({
    export: 'opener',
    version: ARCHIVE_VERSION,
    user_id,
    workspace_id,
    made_at: now.toISOString(),
  })
  const client = await pool().connect()
  let failed: Error | undefined
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    let rows = 0
    for (const table of await ownedTables(client, person, [workspace_id])) {
      if (LEFT_OUT.has(table.name)) continue
      for await (const batch of readRows(client, table)) {
        rows += batch.length
        // The rows are JSON already, one line each: jsonb output contains no line breaks.
        yield batch.map((row) => `{"table":"${table.name}","row":${row}}\n`).join('')
      }
    }
    yield* readFiles(client, workspace_id)
    await client.query('COMMIT')
    yield line({ end: true, rows })
  } catch (error) {
    failed = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    // A client that disconnects midway leaves a transaction open, so the connection is not reused.
    client.release(failed ?? true)
  }
}

async function* readRows(client: PoolClient, { name, where, values }: OwnedTable) {
  const columns = await openColumns(client, name)
  const cursor = `export_${name}`
  const list = columns.map((column) => `"${column}"`).join(', ')
  await client.query(
    `DECLARE "${cursor}" CURSOR FOR SELECT row_to_json(r)::text AS row FROM (SELECT ${list} FROM "${name}" WHERE ${where}) r`,
    values,
  )
  for (;;) {
    const { rows } = await client.query<{ row: string }>(
      `FETCH ${HEAVY.has(name) ? FETCH_HEAVY : FETCH} FROM "${cursor}"`,
    )
    if (rows.length === 0) break
    yield rows.map(({ row }) => row)
  }
  await client.query(`CLOSE "${cursor}"`)
}

/** Files in the storages, one line each; `content` is null if the file is gone. */
async function* readFiles(client: PoolClient, workspaceId: string): AsyncGenerator<string> {
  const { rows } = await client.query<{
    id: string
    storage: string
    location: string
    content_type: string
  }>(
    `SELECT id, storage, location, content_type FROM social_post_attachments WHERE workspace_id = $1
     UNION ALL SELECT attachment_id, storage, location, content_type FROM attachments WHERE workspace_id = $1
     ORDER BY id`,
    [workspaceId],
  )
  for (const { id, storage, location, content_type } of rows) {
    const bytes = await fileStorage(storage).read(location)
    const content = bytes && Buffer.from(bytes).toString('base64')
    yield line({ file: id, content_type, encoding: 'base64', content })
  }
}

async function openColumns(client: PoolClient, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1 ORDER BY ordinal_position`,
    [table],
  )
  return rows.map(({ name }) => name).filter((name) => !isSecret(name))
}

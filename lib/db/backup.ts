import { createHash } from 'node:crypto'
import type { ClientBase } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { z } from 'zod'
import { FileList, fileEntries, type LocalFiles, listLocalFiles } from '#lib/db/backup-files'
import { appliedMigrations } from '#lib/db/migrate'
import { seal } from '#lib/db/seal'
import { TAR_END, tarEntry } from '#lib/db/tar'

/**
 * A backup is a tar archive: `backup.json` first, then each table as COPY text in parts of a few MiB, named `tables/<table>/<part>`, the
 * local files that they reference as `files/<location>`, and at the end `manifest.json` with counts and checksums, so that a truncated
 * backup is detected. Format 1 had no files.
 */
export const FORMAT = 2
const PART_BYTES = 4 * 1024 * 1024
export const KEY_CHECK = 'opener-backup'

export const BackupHead = z.object({
  format: z.int().positive(),
  created_at: z.iso.datetime(),
  postgres: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  /** A known text sealed by the ENCRYPTION_KEY, to check later whether the key is the same. */
  key_check: z.string(),
})
export type BackupHead = z.output<typeof BackupHead>

export const BackupManifest = z.object({
  tables: z.record(z.string(), z.object({ rows: z.int(), sha256: z.string() })),
  sequences: z.array(z.object({ name: z.string(), last_value: z.string(), is_called: z.boolean() })),
  files: FileList.default({}),
})
export type BackupManifest = z.output<typeof BackupManifest>

type Options = {
  now: Date
  /** Absent: the instance has no local files. */
  files?: LocalFiles
  /** A snapshot from pg_export_snapshot(), to read another transaction's state. Absent: a snapshot of its own. */
  snapshot?: string
}

/**
 * Yields a backup of everything the app stores, from one snapshot, while others continue to write; a few MiB in memory at a time. The
 * background engine's state is not included: events are hints, and the work they request is found again.
 */
export async function* backUp(
  client: ClientBase,
  { now, files, snapshot }: Options,
): AsyncGenerator<Uint8Array> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  let isCopying = false
  try {
    if (snapshot) await client.query(`SET TRANSACTION SNAPSHOT ${client.escapeLiteral(snapshot)}`)
    const head = await readHead(client, now)
    const json = (name: string, value: unknown) =>
      tarEntry({ name, bytes: Buffer.from(`${JSON.stringify(value, null, 1)}\n`) }, now)
    yield* json('backup.json', head)
    const tables: BackupManifest['tables'] = {}
    for (const table of head.tables) {
      const hash = createHash('sha256')
      const copy = streamCopy(client, table)
      let part = 0
      isCopying = true
      for await (const bytes of inParts(copy)) {
        hash.update(bytes)
        yield* tarEntry({ name: `tables/${table.name}/${part++}`, bytes }, now)
      }
      isCopying = false
      tables[table.name] = { rows: copy.rowCount, sha256: hash.digest('hex') }
    }
    const list: FileList = {}
    if (files) yield* fileEntries(await listLocalFiles(client), files, { now, list })
    const sequences = await readSequences(client)
    yield* json('manifest.json', { tables, sequences, files: list } satisfies BackupManifest)
    yield TAR_END
  } finally {
    // In the middle of a COPY the database answers nothing until all of it was read, so the connection is closed instead.
    if (!isCopying) await client.query('ROLLBACK').catch(() => undefined)
  }
}

async function readHead(client: ClientBase, now: Date): Promise<BackupHead> {
  const { rows } = await client.query<{ version: string }>(
    "SELECT current_setting('server_version') AS version",
  )
  return {
    format: FORMAT,
    created_at: now.toISOString(),
    postgres: rows[0]?.version ?? '',
    migrations: await appliedMigrations(client),
    tables: await listTables(client),
    key_check: seal(KEY_CHECK),
  }
}

/** The app's tables with their writable columns. Migrations are listed in the head instead. */
export async function listTables(client: ClientBase): Promise<BackupHead['tables']> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> '_prisma_migrations'
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
       AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
     GROUP BY c.relname ORDER BY c.relname`,
  )
  return rows
}

function streamCopy(client: ClientBase, { name, columns }: BackupHead['tables'][number]) {
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ')
  return client.query(copyTo(`COPY ${client.escapeIdentifier(name)} (${list}) TO STDOUT`))
}

/** Gathers small pieces into parts, since each archive file costs a header and padding. */
async function* inParts(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let gathered: Uint8Array[] = []
  let size = 0
  for await (const piece of pieces) {
    gathered.push(piece)
    size += piece.byteLength
    if (size < PART_BYTES) continue
    yield Buffer.concat(gathered)
    gathered = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(gathered)
}

/** Read last: sequences are not transactional and never go back. */
async function readSequences(client: ClientBase): Promise<BackupManifest['sequences']> {
  const { rows: found } = await client.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace ORDER BY 1",
  )
  const sequences: BackupManifest['sequences'] = []
  for (const { name } of found) {
    const { rows } = await client.query<{ last_value: string; is_called: boolean }>(
      `SELECT last_value::text, is_called FROM ${client.escapeIdentifier(name)}`,
    )
    if (rows[0]) sequences.push({ name, ...rows[0] })
  }
  return sequences
}

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import type { ClientBase } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { BackupHead, BackupManifest, FORMAT, KEY_CHECK, listTables } from '#lib/db/backup'
import { fileTaker, type LocalFiles, listLocalFiles } from '#lib/db/backup-files'
import { type Migration, runMigration } from '#lib/db/migrate'
import { isOutage } from '#lib/db/outage'
import { unseal } from '#lib/db/seal'
import { readTar, type TarEntry } from '#lib/db/tar'

/** Why a backup was not restored, in one sentence for people. Nothing was changed. */
export class RestoreRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'RestoreRefused'
  }
}

export type RestoreOptions = {
  migrations: Migration[]
  /** Discards what the database contains. */
  replace: boolean
  /** Proceeds even if the backup's sealed values cannot be opened with the keys of this environment. */
  other_key: boolean
  /**
   * Holds outgoing work, since the backup does not know what was sent after it; returns the number of held campaigns. The database has the
   * backup's schema version then. Null leaves everything running.
   */
  hold: ((client: ClientBase, columns: ReadonlySet<string>) => Promise<number>) | null
  /** Where the files go. Absent: they are read and discarded. */
  files?: LocalFiles
}

export type Restored = { created_at: string; tables: number; rows: number; files: number; paused: number }

/**
 * Restores a database to the state of a backup, including its schema version, in one transaction: any failure leaves it as it was. No
 * trigger fires, since the effects of triggers are in the rows.
 */
export async function restore(
  client: ClientBase,
  archive: AsyncIterable<Uint8Array>,
  options: RestoreOptions,
): Promise<Restored> {
  const entries = readTar(archive)
  const head = parseHead(await nextEntry(entries))
  const migrations = findMigrations(head, options.migrations)
  if (!options.other_key) requireKey(head)
  const files = fileTaker(options.files)
  await client.query('BEGIN')
  try {
    await requireRoom(client, options.replace)
    const replaced = await listLocalFiles(client, { strays: true })
    await dropEverything(client)
    for (const migration of migrations) await runMigration(client, migration)
    const link = await unlinked(client, head)
    const manifest = await copyAll(client, head, { entries, files })
    await link()
    for (const { name, last_value, is_called } of manifest.sequences)
      await client.query('SELECT setval($1::regclass, $2::bigint, $3)', [
        client.escapeIdentifier(name),
        last_value,
        is_called,
      ])
    const columns = head.tables.flatMap((table) => table.columns.map((column) => `${table.name}.${column}`))
    const paused = (await options.hold?.(client, new Set(columns))) ?? 0
    await client.query('COMMIT')
    await files.forget(replaced)
    const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0)
    const tables = head.tables.length
    return { created_at: head.created_at, tables, rows, files: Object.keys(manifest.files).length, paused }
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    await files.undo().catch(() => undefined)
    throw error
  }
}

const DAMAGED = 'The backup is damaged, or was not written to its end. Nothing was changed.'
/** An error of the database itself, such as a full disk, does not mean that the backup is damaged. */
function damaged(cause: unknown): unknown {
  if (isOutage(cause)) return cause
  const isUnread = cause instanceof Error && 'syscall' in cause
  const words = isUnread ? `The backup cannot be read: ${cause.message}. Nothing was changed.` : DAMAGED
  return new RestoreRefused(words, { cause })
}

async function nextEntry(entries: AsyncGenerator<TarEntry>): Promise<TarEntry> {
  const next = await entries.next().catch((cause: unknown) => {
    throw damaged(cause)
  })
  if (next.done) throw damaged('The archive ends too soon.')
  return next.value
}

function parseJson({ bytes }: TarEntry): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch (cause) {
    throw damaged(cause)
  }
}

function parseHead(entry: TarEntry): BackupHead {
  if (entry.name !== 'backup.json') throw new RestoreRefused('This is no backup of Opener.')
  const said = parseJson(entry)
  const format = typeof said === 'object' && said !== null && 'format' in said ? Number(said.format) : 0
  if (format > FORMAT)
    throw new RestoreRefused(
      `The backup has format ${format}; this version reads up to ${FORMAT}. Update first.`,
    )
  const head = BackupHead.safeParse(said)
  if (!head.success) throw damaged(head.error)
  return head.data
}

/** The migrations of the backup's database, from this checkout; later ones are applied afterwards. */
function findMigrations({ migrations }: BackupHead, known: Migration[]): Migration[] {
  return migrations.map(({ name, checksum }) => {
    const migration = known.find((one) => one.name === name)
    if (!migration)
      throw new RestoreRefused(`The backup was made by a newer version (migration ${name}). Update first.`)
    if (migration.checksum !== checksum)
      throw new RestoreRefused(`Migration ${name} is not the one that the backup was made with.`)
    return migration
  })
}

function requireKey({ key_check }: BackupHead): void {
  try {
    if (unseal(key_check) === KEY_CHECK) return
  } catch {
    // It was sealed with another key.
  }
  throw new RestoreRefused(
    'The backup was made with another ENCRYPTION_KEY: mailbox passwords and signing keys in it could not be opened, and links in mail that was sent would lead nowhere. Set that key (or add it to ENCRYPTION_KEYS_OLD), or say --other-key.',
  )
}

/** A running instance would continue to send, and would write over the restored data. */
export async function requireAlone(client: ClientBase): Promise<void> {
  const { rows: others } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
       AND backend_type = 'client backend'`,
  )
  if (others[0]?.count)
    throw new RestoreRefused(
      `${others[0].count} other connections use the database: stop the instance first. Nothing was changed.`,
    )
}

async function requireRoom(client: ClientBase, replace: boolean): Promise<void> {
  await requireAlone(client)
  if (replace) return
  for (const { name } of await listTables(client)) {
    const { rowCount } = await client.query(`SELECT 1 FROM ${client.escapeIdentifier(name)} LIMIT 1`)
    if (rowCount)
      throw new RestoreRefused(`The database is not empty (${name}): --replace throws away what it holds.`)
  }
}

/** Keeps objects of extensions. The engine recreates its tables, and its open runs belong to the discarded state. */
async function dropEverything(client: ClientBase): Promise<void> {
  await client.query('DROP SCHEMA IF EXISTS engine, graphile_worker CASCADE')
  const { rows } = await client.query<{ sql: string }>(
    `SELECT format('DROP %s IF EXISTS %s CASCADE', CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END,
        c.oid::regclass) AS sql
     FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'S') AND ${OURS('c.oid')}
     UNION ALL SELECT format('DROP ROUTINE IF EXISTS %s CASCADE', p.oid::regprocedure)
     FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND ${OURS('p.oid')}
     UNION ALL SELECT format('DROP TYPE IF EXISTS %s CASCADE', t.oid::regtype)
     FROM pg_type t LEFT JOIN pg_class c ON c.oid = t.typrelid
     WHERE t.typnamespace = 'public'::regnamespace AND (t.typtype IN ('e', 'd') OR c.relkind = 'c') AND ${OURS('t.oid')}`,
  )
  for (const { sql } of rows) await client.query(sql)
}

const OURS = (oid: string) =>
  `NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = ${oid} AND d.deptype = 'e')`

/** Drops foreign keys and disables triggers; the returned function restores them and checks every row. */
async function unlinked(client: ClientBase, { tables }: BackupHead): Promise<() => Promise<void>> {
  const there = await listTables(client)
  if (JSON.stringify(there) !== JSON.stringify(tables))
    throw damaged('Its tables are not those of its migrations.')
  const { rows: keys } = await client.query<{ drop: string; add: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS add
     FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace ORDER BY conname`,
  )
  // `ENABLE TRIGGER USER` resets triggers that were ENABLE ALWAYS, so those are remembered.
  const { rows: always } = await client.query<{ enable: string }>(
    `SELECT format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', tgrelid::regclass, tgname) AS enable
     FROM pg_trigger WHERE tgenabled = 'A' AND NOT tgisinternal ORDER BY 1`,
  )
  const triggers = (verb: 'ENABLE' | 'DISABLE') =>
    tables.map(({ name }) => `ALTER TABLE ${client.escapeIdentifier(name)} ${verb} TRIGGER USER`)
  for (const sql of [...keys.map(({ drop }) => drop), ...triggers('DISABLE')]) await client.query(sql)
  return async () => {
    const enabled = [...triggers('ENABLE'), ...always.map(({ enable }) => enable)]
    for (const sql of [...keys.map(({ add }) => add), ...enabled]) await client.query(sql)
  }
}

type Source = { entries: AsyncGenerator<TarEntry>; files: ReturnType<typeof fileTaker> }

/** Feeds the parts of each table into one COPY, in archive order, then the files; returns the manifest after checking it. */
async function copyAll(
  client: ClientBase,
  { tables }: BackupHead,
  { entries, files }: Source,
): Promise<BackupManifest> {
  const done: BackupManifest['tables'] = {}
  let entry = await nextEntry(entries)
  for (const { name, columns } of tables) {
    const hash = createHash('sha256')
    const list = columns.map((column) => client.escapeIdentifier(column)).join(', ')
    const copy = client.query(copyFrom(`COPY ${client.escapeIdentifier(name)} (${list}) FROM STDIN`))
    const over = finished(copy)
    // After the COPY has failed, further writes fail only because the connection is gone, so the first error is reported.
    const refused: unknown[] = []
    over.catch((error: unknown) => refused.push(error))
    try {
      for (let part = 0; entry.name === `tables/${name}/${part}`; part++) {
        hash.update(entry.bytes)
        if (!copy.write(entry.bytes)) await Promise.race([once(copy, 'drain'), over])
        entry = await nextEntry(entries)
      }
    } catch (error) {
      copy.destroy()
      throw error instanceof RestoreRefused ? error : damaged(refused[0] ?? error)
    }
    copy.end()
    await over.catch((cause: unknown) => {
      throw damaged(cause)
    })
    done[name] = { rows: copy.rowCount, sha256: hash.digest('hex') }
  }
  for (; files.isFile(entry); entry = await nextEntry(entries))
    await files.take(entry, () => nextEntry(entries))
  if (entry.name !== 'manifest.json') throw damaged(`Unexpected: ${entry.name}`)
  const manifest = BackupManifest.safeParse(parseJson(entry))
  if (!manifest.success) throw damaged(manifest.error)
  for (const { name } of tables) {
    const [is, said] = [done[name], manifest.data.tables[name]]
    if (is?.rows !== said?.rows || is?.sha256 !== said?.sha256)
      throw damaged(`${name} differs from the manifest.`)
  }
  if (!isDeepStrictEqual(files.taken, manifest.data.files)) throw damaged('Files differ from the manifest.')
  return manifest.data
}

import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'

export type Migration = { name: string; sql: string; checksum: string }

/** SQLSTATE of a lock that was not obtained in time. */
const LOCK_NOT_AVAILABLE = '55P03'

const FOLDER = path.resolve(import.meta.dirname, '../../prisma/migrations')

/**
 * How long a migration waits for a lock, since everything that needs the table queues behind it, and how long it pauses before it tries
 * again, to let others pass.
 */
const PATIENCE = { lock_ms: 3_000, pauses_ms: [1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000, 10_000] }

/** The migrations of this checkout, in the order of their names, which begin with their time. */
export function readMigrations(folder = FOLDER): Migration[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .sort()
    .map((name) => ({ name, file: path.join(folder, name, 'migration.sql') }))
    .filter(({ file }) => existsSync(file))
    .map(({ name, file }) => {
      const sql = readFileSync(file, 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    })
}

/**
 * Applies the missing migrations and returns their names. Each migration is one transaction, so a failed one leaves nothing behind. The
 * rows in `_prisma_migrations` match those of `prisma migrate deploy`, which can take over at any time; using `pg` saves the download of
 * Prisma's engine. Two processes at once are safe: the second waits for the first, then finds nothing to do.
 */
export async function applyMigrations(
  databaseUrl: string,
  migrations = readMigrations(),
  patience = PATIENCE,
): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    // Prisma's own lock number, so `prisma migrate deploy` and this wait for each other too.
    await client.query('select pg_advisory_lock(72707369)')
    await client.query(MIGRATIONS_TABLE)
    const applied = await appliedChecksums(client)
    const done: string[] = []
    for (const migration of migrations) {
      const checksum = applied.get(migration.name)
      if (checksum === undefined) done.push(await applyOne(client, migration, patience))
      else if (checksum !== migration.checksum) {
        throw new Error(`Migration ${migration.name} was changed after this database had applied it.`)
      }
    }
    return done
  } finally {
    await client.end()
  }
}

/** The migrations that a database has, in order. */
export async function appliedMigrations(
  client: pg.ClientBase,
): Promise<{ name: string; checksum: string }[]> {
  const applied = await appliedChecksums(client)
  return [...applied].map(([name, checksum]) => ({ name, checksum }))
}

async function appliedChecksums(client: pg.ClientBase): Promise<Map<string, string>> {
  const { rows } = await client.query<{ migration_name: string; checksum: string; finished: boolean }>(
    `select migration_name, checksum, finished_at is not null as finished
       from _prisma_migrations where rolled_back_at is null order by migration_name`,
  )
  const failed = rows.find((row) => !row.finished)
  if (failed)
    throw new Error(`Migration ${failed.migration_name} failed half-way in this database; repair it first.`)
  return new Map(rows.map((row) => [row.migration_name, row.checksum]))
}

async function applyOne(
  client: pg.Client,
  migration: Migration,
  { lock_ms, pauses_ms }: typeof PATIENCE,
): Promise<string> {
  const { name } = migration
  for (const pause_ms of [...pauses_ms, null]) {
    try {
      await client.query(`begin; set local lock_timeout = ${lock_ms}`)
      await runMigration(client, migration)
      await client.query('commit')
      return name
    } catch (cause) {
      await client.query('rollback').catch(() => undefined)
      const isBusy = cause instanceof pg.DatabaseError && cause.code === LOCK_NOT_AVAILABLE
      if (isBusy && pause_ms !== null) {
        await setTimeout(pause_ms)
        continue
      }
      const reason = cause instanceof Error ? cause.message : String(cause)
      const hint = isBusy ? '. Something works on its tables for long: try again when that is over' : ''
      throw new Error(`Migration ${name} failed: ${reason}${hint}`, { cause })
    }
  }
  return name
}

/** Applies one migration and records it, in the caller's transaction. */
export async function runMigration(client: pg.ClientBase, { name, sql, checksum }: Migration): Promise<void> {
  const startedAt = new Date()
  await client.query(MIGRATIONS_TABLE)
  await client.query(sql)
  await client.query(
    `insert into _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     values ($1, $2, $3, $4, clock_timestamp(), 1)`,
    [randomUUID(), checksum, name, startedAt],
  )
}

/** The table as Prisma creates it. */
const MIGRATIONS_TABLE = `create table if not exists _prisma_migrations (
  id varchar(36) primary key not null,
  checksum varchar(64) not null,
  finished_at timestamptz,
  migration_name varchar(255) not null,
  logs text,
  rolled_back_at timestamptz,
  started_at timestamptz not null default now(),
  applied_steps_count integer not null default 0
)`

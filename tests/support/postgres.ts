import { createHash } from 'node:crypto'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { applyMigrations, readMigrations } from '#lib/db/migrate'
import { quickestPlace, throwawayPostgres } from '#tests/support/files/throwaway'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where test databases are made: the connection string of the server, and the name of the database to clone. */
    postgres: { adminUrl: string; template: string }
  }
}

export type Server = { adminUrl: string; template: string; stop(): Promise<void> }

// Each project runs this set-up in the same process: they share one server, which the last one stops.
const shared: { server?: Promise<Server>; users: number } = (Reflect.get(
  globalThis,
  Symbol.for('opener.test.postgres'),
) as typeof shared | undefined) ?? { users: 0 }
Reflect.set(globalThis, Symbol.for('opener.test.postgres'), shared)

/**
 * One Postgres for the whole run, with a migrated database to clone. TEST_DATABASE_URL names another
 * server to use; its user must be allowed to create databases.
 */
export default async function setup(project: TestProject) {
  shared.users += 1
  shared.server ??= startServer()
  const { adminUrl, template, stop } = await shared.server
  project.provide('postgres', { adminUrl, template })
  return async () => {
    shared.users -= 1
    if (shared.users > 0) return
    shared.server = undefined
    await stop()
  }
}

/** The server that TEST_DATABASE_URL names, or a throwaway one; with a migrated database to clone. */
export async function startServer(): Promise<Server> {
  const given = process.env.TEST_DATABASE_URL
  if (given) return { adminUrl: given, template: await templateOn(given), stop: async () => undefined }
  const postgres = await throwawayPostgres({}, quickestPlace())
  return { adminUrl: postgres.url, template: await templateOn(postgres.url), stop: postgres.stop }
}

/** Makes the template database, named after a hash of the migrations, so that changed migrations get a new one. */
async function templateOn(adminUrl: string): Promise<string> {
  const migrations = readMigrations()
  const hash = createHash('sha256').update(migrations.map((one) => one.name + one.checksum).join())
  const name = `opener_template_${hash.digest('hex').slice(0, 16)}`
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    // Two runs on one server: the second waits, then finds the template.
    await client.query("select pg_advisory_lock(hashtext('opener_template'))")
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount) return name
    await client.query(`drop database if exists ${name}_new with (force)`)
    await client.query(`create database ${name}_new`)
    const draft = new URL(adminUrl)
    draft.pathname = `/${name}_new`
    await applyMigrations(draft.href, migrations)
    await client.query(`alter database ${name}_new rename to ${name}`)
    return name
  } finally {
    await client.end()
  }
}

import { Readable } from 'node:stream'
import pg from 'pg'
import { afterAll, afterEach, inject } from 'vitest'
import { backUp } from '#lib/db/backup'
import type { LocalFiles } from '#lib/db/backup-files'
import { readMigrations } from '#lib/db/migrate'
import type { RestoreOptions } from '#lib/db/restore'
import { readTar, TAR_END, tarEntry } from '#lib/db/tar'
import { env } from '#lib/env'
import { MONDAY } from '#tests/support/scenes/launched'

export const migrations = readMigrations()
export const options: RestoreOptions = { migrations, replace: false, other_key: false, hold: null }

async function gather(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of bytes) parts.push(part)
  return Buffer.concat(parts)
}
export const from = (bytes: Uint8Array) => Readable.from([bytes])

/** The number of rows of each table and one digest over them. */
export async function contents(client: pg.ClientBase): Promise<Record<string, string>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
       AND relname <> '_prisma_migrations'`,
  )
  const said: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await client.query<{ digest: string }>(
      `SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, E'\\n' ORDER BY t::text)), '') AS digest FROM "${name}" t`,
    )
    said[name] = rows[0]?.digest ?? ''
  }
  return said
}

/** The same archive with one of its files changed. */
export async function changed(
  bytes: Buffer,
  change: (name: string, text: string) => string,
): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const { name, bytes: inside } of readTar(from(bytes)))
    parts.push(
      ...tarEntry({ name, bytes: Buffer.from(change(name, Buffer.from(inside).toString())) }, MONDAY),
    )
  return Buffer.concat([...parts, TAR_END])
}

/** Databases to restore backups into, and connections to them; all removed after the test and the file that made them. */
export function backupPlaces() {
  const { adminUrl } = inject('postgres')
  const made: string[] = []
  const clients: pg.Client[] = []

  async function onServer(sql: string) {
    const client = new pg.Client({ connectionString: adminUrl })
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }

  async function connected(url: string) {
    const client = new pg.Client({ connectionString: url })
    clients.push(client)
    await client.connect()
    return client
  }

  /** A database with nothing in it. */
  async function anEmptyDatabase() {
    const name = `opener_restore_${crypto.randomUUID().replaceAll('-', '')}`
    made.push(name)
    await onServer(`create database ${name}`)
    const url = new URL(adminUrl)
    url.pathname = `/${name}`
    return { url: url.href, client: await connected(url.href) }
  }

  const archive = async (given: { snapshot?: string; files?: LocalFiles } = {}) =>
    gather(backUp(await connected(env().DATABASE_URL), { now: new Date(), ...given }))

  /** Closes the last connection now: it would be in the way of whoever works on its database. */
  const closeLast = async () => clients.pop()?.end()

  afterEach(async () => {
    for (const client of clients.splice(0)) await client.end()
  })
  afterAll(async () => {
    for (const name of made) await onServer(`drop database ${name} with (force)`)
  })
  return { connected, anEmptyDatabase, archive, closeLast }
}

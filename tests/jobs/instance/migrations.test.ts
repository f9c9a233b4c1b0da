import pg from 'pg'
import { expect, inject, test, vi } from 'vitest'
import { applyMigrations, readMigrations } from '#lib/db/migrate'
import { schemaDiff } from '#scripts/schema-diff'

const { adminUrl } = inject('postgres')

async function emptyDatabase(name: string): Promise<string> {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  await admin.query(`drop database if exists ${name} with (force)`)
  await admin.query(`create database ${name}`)
  await admin.end()
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

async function rows<T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const result = await client.query<T>(sql)
  await client.end()
  return result.rows
}

const migration = (name: string, sql: string) => ({ name, sql, checksum: name.padEnd(64, '0') })

test('migrations and schema.prisma agree', async () => {
  expect(readMigrations().length).toBeGreaterThan(0)
  expect(await schemaDiff(adminUrl)).toBe('')
})

test('two processes that migrate at once apply each migration once', async () => {
  const url = await emptyDatabase('migrate_twice')
  const migrations = [migration('1', 'create table a (n int)'), migration('2', 'create table b (n int)')]

  const done = await Promise.all([applyMigrations(url, migrations), applyMigrations(url, migrations)])

  expect(done.flat().sort()).toEqual(['1', '2'])
  expect(await rows(url, 'select migration_name, checksum from _prisma_migrations order by 1')).toEqual(
    migrations.map(({ name, checksum }) => ({ migration_name: name, checksum })),
  )
})

test('a migration that fails leaves nothing behind and says which it was', async () => {
  const url = await emptyDatabase('migrate_fail')
  const migrations = [
    migration('1', 'create table kept (n int)'),
    migration('2', 'create table lost (n int); select 1 / 0'),
  ]

  await expect(applyMigrations(url, migrations)).rejects.toThrow('Migration 2 failed: division by zero')

  const tables = `select tablename from pg_tables where schemaname = 'public' order by 1`
  expect(await rows(url, tables)).toEqual([{ tablename: '_prisma_migrations' }, { tablename: 'kept' }])
})

/** A connection in the middle of a transaction that has read the table. */
async function reading(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('begin; select * from read')
  return { end: () => client.end() }
}

test('a migration that waits for a lock lets others past, and is applied once it gets it', async () => {
  const url = await emptyDatabase('migrate_locked')
  const first = migration('1', 'create table read (n int)')
  await applyMigrations(url, [first])
  const reader = await reading(url)
  const patient = { lock_ms: 50, pauses_ms: Array.from({ length: 3_000 }, () => 10) }
  const migrations = [first, migration('2', 'alter table read add column m int')]
  const applied = applyMigrations(url, migrations, patient)
  const waiting =
    "select 1 from pg_stat_activity where query like 'alter table read%' and wait_event_type = 'Lock'"
  await vi.waitFor(async () => expect(await rows(url, waiting)).toHaveLength(1), 30_000)
  // This query would queue behind the migration for as long as that waits.
  expect(await rows(url, 'select n from read')).toEqual([])
  await reader.end()
  expect(await applied).toEqual(['2'])
})

test('a migration that never gets its lock says so, and leaves nothing behind', async () => {
  const url = await emptyDatabase('migrate_busy')
  const first = migration('1', 'create table read (n int)')
  await applyMigrations(url, [first])
  const reader = await reading(url)
  const migrations = [first, migration('2', 'create table lost (n int); alter table read add column m int')]
  await expect(applyMigrations(url, migrations, { lock_ms: 50, pauses_ms: [1] })).rejects.toThrow(
    'Migration 2 failed: canceling statement due to lock timeout. Something works on its tables',
  )
  await reader.end()
  expect(await rows(url, "select to_regclass('lost') as lost")).toEqual([{ lost: null }])
})

test('a migration changed after it was applied is refused', async () => {
  const url = await emptyDatabase('migrate_changed')
  await applyMigrations(url, [migration('1', 'select 1')])
  const changed = { ...migration('1', 'select 2'), checksum: 'f'.repeat(64) }
  await expect(applyMigrations(url, [changed])).rejects.toThrow('Migration 1 was changed')
})

test('ids made one after the other are in that order, also within one millisecond', async () => {
  const url = await emptyDatabase('ids_in_order')
  await applyMigrations(url)
  const made = await rows<{ id: string }>(url, 'select uuid_v7() as id from generate_series(1, 2000)')
  const ids = made.map((row) => row.id)

  expect(ids).toEqual(ids.toSorted())
  expect(new Set(ids).size).toBe(2000)
  expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-/.test(id))).toBe(true)
})

test('a campaign under way goes on with the texts of before its templates were kept for it', async () => {
  const url = await emptyDatabase('kept_texts')
  const all = readMigrations()
  const place = all.findIndex(({ name }) => name.endsWith('_campaign_texts'))
  await applyMigrations(url, all.slice(0, place))
  await rows(
    url,
    `with u as (insert into users (email, name, updated_at) values ('a@example.com', 'A', now()) returning user_id),
      d as (insert into datasets (user_id, dataset_name, source_type, updated_at)
        select user_id, 'D', 'csv', now() from u returning user_id, dataset_id),
      t as (insert into templates (user_id, name, content, updated_at)
        select user_id, 'T', '{"subject": "S", "body": "B"}', now() from u returning user_id, template_id)
     insert into campaigns (user_id, dataset_id, name, status, paused_from, send_days, steps_config, updated_at)
     select d.user_id, d.dataset_id, s.status, s.status::"CampaignStatus",
       case s.status when 'paused' then 'active' end::"CampaignStatus", '{mon}', jsonb_build_array(jsonb_build_object(
       'step', 1, 'variants', jsonb_build_array(jsonb_build_object('label', 'A', 'template_id', t.template_id)))), now()
     from d, t, unnest(array['draft', 'active', 'paused', 'scheduled', 'completed', 'failed']) s (status)`,
  )
  await applyMigrations(url, all)
  const kept = await rows(
    url,
    'select c.name, k.content from campaign_texts k join campaigns c using (campaign_id) order by 1',
  )
  const content = { subject: 'S', body: 'B' }
  expect(kept).toEqual(['active', 'completed', 'paused', 'scheduled'].map((name) => ({ name, content })))
})

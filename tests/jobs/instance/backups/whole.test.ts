import { PassThrough, Readable, pipeline as through, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { backUp } from '#lib/db/backup'
import { closeDatabase, db, pool } from '#lib/db/client'
import { restore } from '#lib/db/restore'
import { seal } from '#lib/db/seal'
import { readTar } from '#lib/db/tar'
import { env } from '#lib/env'
import { dispatchDue } from '#lib/services/sending/run'
import { holdRestored } from '#scripts/hold-restored'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { backupPlaces, changed, contents, from, migrations, options } from '#tests/support/files/backups'
import { aUser } from '#tests/support/scenes/factories'
import { launched, MONDAY } from '#tests/support/scenes/launched'

const { connected, anEmptyDatabase, archive, closeLast } = backupPlaces()

/** Every odd cell content, and the columns that are not text. */
beforeAll(async () => {
  const owner = await aUser({ email: 'odd@example.com' })
  await db.workspace.update({
    where: { workspace_id: owner.workspace_id },
    data: { name: 'tab\t, newline\n, \\N, "quotes", ünïcode 🙂, \\.' },
  })
  const raw = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
  const addresses = { mail_from: 'a@b.test', rcpt_to: 'c@d.test', from_address: 'a@b.test', subject: 'S' }
  await db.sandboxMessage.create({ data: { workspace_id: owner.workspace_id, ...addresses, raw } })
})

test('a backup taken while sending goes on is one moment of it, and comes back row for row', async () => {
  const { campaign_id } = await launched({}, 300)
  const { provider, outbox } = memoryMail()
  const gate = Promise.withResolvers<void>()
  let held = 0
  const send: typeof provider.send = async (...given) => {
    if (outbox.length >= 60) {
      held += 1
      await gate.promise
    }
    return provider.send(...given)
  }
  const sending = dispatchDue({ mail: { ...provider, send }, clock: () => MONDAY, capacity: 20 })
  while (held === 0) await new Promise((resolve) => setTimeout(resolve, 5))

  const witness = await connected(env().DATABASE_URL)
  await witness.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  const { rows } = await witness.query<{ id: string }>('SELECT pg_export_snapshot() AS id')
  gate.resolve()
  const bytes = await archive({ ...(rows[0] && { snapshot: rows[0].id }) })
  const moment = await contents(witness)
  const { rows: known } = await witness.query<{ lead_index: number; step: number; status: string }>(
    'SELECT l.lead_index, a.step, a.status::text FROM actions a JOIN campaign_leads l USING (campaign_lead_id)',
  )
  await witness.query('COMMIT')
  await sending
  expect(outbox).toHaveLength(300)
  // The backup was taken in the middle of the campaign.
  expect(known.some(({ status }) => status === 'sending')).toBe(true)
  expect(known.length).toBeLessThan(300)

  const target = await anEmptyDatabase()
  const done = await restore(target.client, from(bytes), options)
  expect(await contents(target.client)).toEqual(moment)
  expect(done).toMatchObject({ paused: 0, tables: Object.keys(moment).length })
  const { rows: applied } = await target.client.query('SELECT migration_name FROM _prisma_migrations')
  expect(applied).toHaveLength(migrations.length)
  await closeLast()

  // The campaign continues in the restored database, a minute later, when the leases have run out.
  const own = env().DATABASE_URL
  await closeDatabase()
  env().DATABASE_URL = target.url
  try {
    const later = memoryMail()
    const clock = () => new Date(MONDAY.getTime() + 60_000)
    await dispatchDue({ mail: later.provider, clock })
    const addresses = new Map(
      (await db.campaignLead.findMany({ where: { campaign_id } })).map((lead) => [
        lead.email,
        lead.lead_index,
      ]),
    )
    const mailed = later.outbox.map(({ to }) => addresses.get(to.address))
    const before = new Set(known.map(({ lead_index }) => lead_index))
    expect(mailed.filter((lead) => lead !== undefined && before.has(lead))).toEqual([])
    expect(new Set(mailed).size).toBe(300 - before.size)
    const statuses = await db.action.groupBy({ by: ['status'], _count: true, where: { campaign_id } })
    const uncertain = known.filter(({ status }) => status === 'sending').length
    expect(Object.fromEntries(statuses.map(({ status, _count }) => [status, _count]))).toEqual({
      sent: 300 - uncertain,
      uncertain,
    })
    // Triggers are enabled again, each as before, and foreign keys too.
    const always = `SELECT tgname FROM pg_trigger WHERE tgenabled = 'A' ORDER BY 1`
    expect((await pool().query(always)).rows).toEqual((await witness.query(always)).rows)
    const campaign = await db.campaign.findUniqueOrThrow({ where: { campaign_id } })
    expect([campaign.sent_count, campaign.uncertain_count]).toEqual([300 - uncertain, uncertain])
    await expect(
      db.campaign.update({ where: { campaign_id }, data: { workspace_id: crypto.randomUUID() } }),
    ).rejects.toThrow()
    const uid = await db.sandboxMessage.aggregate({ _max: { uid: true } })
    const raw = Buffer.from('x')
    const fresh = await db.sandboxMessage.create({
      data: { mail_from: 'a', rcpt_to: 'b', from_address: 'c', subject: 'S', raw },
    })
    expect(fresh.uid).toBeGreaterThan(uid._max.uid ?? 0n)
  } finally {
    await closeDatabase()
    env().DATABASE_URL = own
  }
})

test('what ran is paused unless it is asked for: nobody knows what left after the backup', async () => {
  const { campaign_id, owner } = await launched()
  const at = new Date()
  const post = {
    workspace_id: owner.workspace_id,
    user_id: owner.user_id,
    text: 'Hello',
    scheduled_at: at,
    next_attempt_at: at,
  }
  const { id } = await db.socialPost.create({ data: { ...post, status: 'scheduled' } })
  const { client } = await anEmptyDatabase()
  const { paused } = await restore(client, from(await archive()), { ...options, hold: holdRestored })
  expect(paused).toBeGreaterThan(0)
  const { rows } = await client.query(
    'SELECT status, paused_from, paused_reason, next_slot_at FROM campaigns WHERE campaign_id = $1',
    [campaign_id],
  )
  expect(rows).toEqual([
    { status: 'paused', paused_from: 'active', paused_reason: 'restored', next_slot_at: null },
  ])
  const held = await client.query('SELECT status, scheduled_at, last_error FROM social_posts WHERE id = $1', [
    id,
  ])
  expect(held.rows).toEqual([
    { status: 'draft', scheduled_at: at, last_error: expect.stringContaining('backup') },
  ])
})

test('a database that holds something is replaced only if that is said, with its engine state', async () => {
  const bytes = await archive()
  const { client } = await anEmptyDatabase()
  await restore(client, from(bytes), options)
  const before = await contents(client)
  await client.query(
    `UPDATE users SET name = 'changed'; CREATE SCHEMA engine; CREATE TABLE engine.runs (id text)`,
  )
  const kept = await contents(client)
  await expect(restore(client, from(bytes), options)).rejects.toThrow('not empty')
  expect(await contents(client)).toEqual(kept)
  await restore(client, from(bytes), { ...options, replace: true })
  expect(await contents(client)).toEqual(before)
  const { rows } = await client.query("SELECT to_regclass('engine.runs') AS found")
  expect(rows).toEqual([{ found: null }])
})

test('a database that others use is left alone', async () => {
  const bytes = await archive()
  const { client, url } = await anEmptyDatabase()
  await connected(url)
  await expect(restore(client, from(bytes), options)).rejects.toThrow('stop the instance first')
})

test('a backup of an older version is brought in as what it was; a newer one is refused', async () => {
  const bytes = await archive()
  const { client } = await anEmptyDatabase()
  const fewer = { ...options, migrations: migrations.slice(0, -1) }
  await expect(restore(client, from(bytes), fewer)).rejects.toThrow('made by a newer version')
  const more = [...migrations, { name: '99990101000000_later', sql: 'CREATE TABLE later ()', checksum: 'x' }]
  await restore(client, from(bytes), { ...options, migrations: more })
  const { rows } = await client.query("SELECT to_regclass('later') AS found")
  expect(rows).toEqual([{ found: null }])
})

test('another ENCRYPTION_KEY is told before anything happens', async () => {
  const bytes = await archive()
  const foreign = await changed(bytes, (name, text) =>
    name === 'backup.json' ? text.replace(/"key_check": "[^"]+"/, '"key_check": "v2.00000000.AAAA"') : text,
  )
  expect(seal('x')).not.toContain('00000000')
  const { client } = await anEmptyDatabase()
  await expect(restore(client, from(foreign), options)).rejects.toThrow('another ENCRYPTION_KEY')
  expect(await contents(client)).toEqual({})
  await restore(client, from(foreign), { ...options, other_key: true })
})

test.each<[string, (bytes: Buffer) => Buffer | Promise<Buffer>, RegExp]>([
  ['cut off', (bytes) => bytes.subarray(0, Math.floor(bytes.length / 2)), /damaged/],
  ['without its end', (bytes) => bytes.subarray(0, bytes.lastIndexOf('manifest.json')), /damaged/],
  [
    'of another kind',
    () => Buffer.from('PK\u0003\u0004 and so on, for more than a block of 512 bytes'.repeat(20)),
    /damaged/,
  ],
  ['empty', () => Buffer.alloc(0), /damaged/],
  [
    'with a changed cell',
    (bytes) =>
      changed(bytes, (name, text) => (name === 'tables/users/0' ? text.replace('odd@', 'old@') : text)),
    /damaged/,
  ],
  [
    'with a row too few',
    (bytes) => changed(bytes, (name, text) => (name === 'tables/users/0' ? text.replace(/^.*\n/, '') : text)),
    /damaged/,
  ],
  [
    'with a table of its own',
    (bytes) =>
      changed(bytes, (name, text) =>
        name === 'tables/users/0' ? text : text.replace('"users"', '"pg_authid"'),
      ),
    /damaged/,
  ],
  [
    'of a newer format',
    (bytes) =>
      changed(bytes, (name, text) =>
        name === 'backup.json' ? text.replace('"format": 2', '"format": 3') : text,
      ),
    /reads up to 2/,
  ],
])('a backup %s is refused, and the database stays as it was', async (_what, damage, why) => {
  const bytes = await archive()
  const { client } = await anEmptyDatabase()
  await restore(client, from(bytes), options)
  const before = await contents(client)
  const broken = await damage(bytes)
  await expect(restore(client, from(broken), { ...options, replace: true })).rejects.toThrow(why)
  expect(await contents(client)).toEqual(before)
})

test('a damaged gzip is a damaged backup', async () => {
  const bytes = gzipSync(await archive())
  bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] ?? 0) ^ 0xff
  const { client } = await anEmptyDatabase()
  const through = from(bytes).pipe(createGunzip())
  await expect(restore(client, through, options)).rejects.toThrow(/damaged/)
})

test('a backup whose disk breaks while it is read says that, and changes nothing', async () => {
  const bytes = await archive()
  const { client } = await anEmptyDatabase()
  async function* breaking() {
    yield bytes.subarray(0, bytes.length / 2)
    throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', syscall: 'read' })
  }
  const before = await contents(client)
  const broken = through(Readable.from(breaking()), new PassThrough(), () => undefined)
  await expect(restore(client, broken, options)).rejects.toThrow(
    'The backup cannot be read: EIO: i/o error, read. Nothing was changed.',
  )
  expect(await contents(client)).toEqual(before)
})

/** Rows of 20 MB. Returns a function that removes them. */
async function aLargeDataset() {
  const { workspace_id } = await aUser()
  const dataset = await db.dataset.create({
    data: { workspace_id, dataset_name: 'Large', source_type: 'xlsx', row_count: 0, columns: [] },
  })
  await pool().query(
    `INSERT INTO dataset_rows (dataset_id, lead_index, workspace_id, email, data)
     SELECT $1, n, $2, n || '@example.com', jsonb_build_object('text', repeat('x', 1000)) FROM generate_series(1, 20000) n`,
    [dataset.dataset_id, workspace_id],
  )
  return () => db.dataset.delete({ where: { dataset_id: dataset.dataset_id } })
}

test('a restore that the database ends is no fault of the backup', async () => {
  const remove = await aLargeDataset()
  const bytes = await archive()
  await remove()
  const { client } = await anEmptyDatabase()
  client.on('error', () => undefined)
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  async function* cut() {
    const half = Math.floor(bytes.length / 2)
    yield bytes.subarray(0, half)
    // As when the disk is full, or somebody stops it.
    await pool().query('SELECT pg_terminate_backend($1, 5000)', [rows[0]?.pid])
    yield bytes.subarray(half)
  }
  await expect(restore(client, cut(), options)).rejects.toThrow(/terminat/)
})

test('a backup that cannot be written on, as on a full disk, ends in the middle of a table', async () => {
  const remove = await aLargeDataset()
  const source = await connected(env().DATABASE_URL)
  const full = new Error('ENOSPC: no space left on device, write')
  let room = 6 * 1024 * 1024
  const out = new Writable({
    write: (bytes: Buffer, _, done) => {
      room -= bytes.byteLength
      done(room > 0 ? null : full)
    },
  })
  await expect(pipeline(backUp(source, { now: new Date() }), out)).rejects.toThrow(full)
  await remove()
})

test('every table of the app is in a backup, in parts that stay small', async () => {
  const remove = await aLargeDataset()
  const names = new Set<string>()
  let most = 0
  let parts = 0
  for await (const { name, bytes } of readTar(
    backUp(await connected(env().DATABASE_URL), { now: new Date() }),
  )) {
    if (name.startsWith('tables/')) names.add(name.split('/')[1] ?? '')
    if (name.startsWith('tables/dataset_rows/')) parts += 1
    most = Math.max(most, bytes.byteLength)
  }
  expect(parts).toBeGreaterThan(3)
  expect(most).toBeLessThan(5 * 1024 * 1024)
  expect([...names]).toEqual(expect.arrayContaining(['users', 'campaigns', 'actions', 'dataset_rows']))
  await remove()
})

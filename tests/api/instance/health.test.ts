import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { ReadHealth } from '#lib/contracts/meta'
import { closeDatabase, db, pool } from '#lib/db/client'
import { seal } from '#lib/db/seal'
import { env } from '#lib/env'
import { createDomain } from '#lib/services/domains/domains'
import { readDisks } from '#lib/services/instance/disks'
import { type Machine, readHealth } from '#lib/services/instance/health'
import { noteSweep } from '#lib/services/instance/sweeps'
import { call } from '#tests/support/call'
import { removeThrowaway, throwawayFolder } from '#tests/support/files/throwaway'
import { aCampaign, aMailbox, aUser } from '#tests/support/scenes/factories'
import { FAILING } from '#tests/support/scenes/failing'

const now = new Date()
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const machine: Machine = {
  started_at: ago(1),
  disks: async () => [{ of: 'DATA_DIR', free_bytes: 50 * 1024 ** 3 }],
}
const look = (fields: Partial<Machine> = {}) => readHealth(now, { ...machine, ...fields })

beforeEach(async () => {
  await pool().query('TRUNCATE users, sweeps CASCADE')
  await noteSweep('dispatch', now)
})

test('an instance where all is well says so, part by part', async () => {
  const { status, body } = await call(ReadHealth)
  expect(status).toBe(200)
  expect(body).toMatchObject({ status: 'ok', degraded: [] })
  expect(Object.keys(body.parts)).toEqual(['database', 'engine', 'queue', 'mail', 'dns', 'storage'])
  for (const part of Object.values(body.parts)) expect(part).toMatchObject({ status: 'ok', since: null })
})

test.each([
  { minutes: 70, status: 'ok' },
  { minutes: 80, status: 'degraded' },
  { minutes: 140, status: 'down' },
])('background functions that last ran $minutes minutes ago are $status', async ({ minutes, status }) => {
  await db.sweep.updateMany({ data: { at: ago(minutes) } })
  const { parts, degraded } = await look()
  expect(parts.engine).toMatchObject({ status, since: status === 'ok' ? null : ago(minutes) })
  expect(degraded.map(({ part }) => part)).toEqual(status === 'ok' ? [] : ['engine'])
})

test('background functions that never ran are forgiven a start, not more', async () => {
  await db.sweep.deleteMany()
  expect((await look()).parts.engine.status).toBe('ok')
  expect((await look({ started_at: ago(4) })).parts.engine).toMatchObject({
    status: 'degraded',
    since: ago(4),
  })
})

test('a campaign that nobody looks at is a queue that lags', async () => {
  const { campaign_id } = await aCampaign(await aUser())
  await db.campaign.update({ where: { campaign_id }, data: { status: 'active', next_slot_at: ago(2) } })
  expect((await look()).status).toBe('ok')
  await db.campaign.update({ where: { campaign_id }, data: { next_slot_at: ago(5) } })
  const { status, parts } = await look()
  expect(status).toBe('degraded')
  expect(parts.queue).toMatchObject({ status: 'degraded', since: ago(5) })
  expect(parts.queue.message).toContain('One campaign waits')
})

test('deliveries that wait too long are a queue that lags, unless their webhook is switched off', async () => {
  const { workspace_id } = await aUser()
  const data = { workspace_id, url: 'https://hooks.example.com/', event_types: ['lead.sent'] }
  const secrets = { secret: seal('whsec_cHJpdmF0ZQ=='), secret_hint: 'ZQ==' }
  const { webhook_id } = await db.webhook.create({ data: { ...data, ...secrets } })
  const event = { workspace_id, type: 'lead.sent', at: now, data: {} }
  const { event_id } = await db.webhookEvent.create({ data: event })
  await db.webhookDelivery.create({ data: { webhook_id, event_id, workspace_id, next_attempt_at: ago(11) } })
  expect((await look()).parts.queue).toMatchObject({ status: 'degraded', since: ago(11) })
  await db.webhook.update({ where: { webhook_id }, data: { enabled: false } })
  expect((await look()).parts.queue.status).toBe('ok')
})

test('mailboxes that cannot send, or whose mail cannot be read, are counted and not named', async () => {
  const owner = await aUser()
  const [first, second] = [await aMailbox(owner), await aMailbox(owner)]
  await db.mailbox.update({
    where: { mailbox_id: first.mailbox_id },
    data: { ...FAILING, last_error: 'secret words of a server' },
  })
  await db.mailbox.update({
    where: { mailbox_id: second.mailbox_id },
    data: { inbox_error: 'secret words of a server' },
  })
  const health = await look()
  expect(health.parts.mail).toMatchObject({
    status: 'degraded',
    message: 'One mailbox cannot send. The incoming mail of one mailbox cannot be read.',
    since: expect.any(Date),
  })
  const said = JSON.stringify(health)
  for (const secret of [first.address, second.address, 'secret words', owner.workspace_id])
    expect(said).not.toContain(secret)
})

test('DNS that has been silent several times is a part of its own', async () => {
  const { workspace_id } = await aUser()
  const { domain_id } = await createDomain(workspace_id, { domain: `d-${randomUUID()}.example.com` }, now)
  await db.mailDomain.update({ where: { domain_id }, data: { unanswered: 2, checked_at: ago(3) } })
  expect((await look()).parts.dns.status).toBe('ok')
  await db.mailDomain.update({ where: { domain_id }, data: { unanswered: 3 } })
  expect((await look()).parts.dns).toMatchObject({ status: 'degraded', since: ago(3) })
})

test.each([
  { mib: 2048, status: 'ok' },
  { mib: 1023, status: 'degraded' },
  { mib: 12, status: 'down' },
])('a disk with $mib MiB left is $status', async ({ mib, status }) => {
  const disks = async () => [{ of: 'DATA_DIR', free_bytes: mib * 1024 ** 2 }]
  expect((await look({ disks })).parts.storage.status).toBe(status)
})

test.each(['DATA_DIR', 'FILES_DIR'])('of two disks the full one counts, and is named: %s', async (full) => {
  const room = (of: string) => ({ of, free_bytes: of === full ? 12 * 1024 ** 2 : 50 * 1024 ** 3 })
  const disks = async () => ['DATA_DIR', 'FILES_DIR'].map(room)
  expect((await look({ disks })).parts.storage).toMatchObject({
    status: 'down',
    message: `The disk of ${full} has 12 MiB left.`,
  })
})

test('the disks of the data folder and of FILES_DIR are looked at, also before the first file is there', async () => {
  const folder = throwawayFolder()
  try {
    const both = await readDisks({ DATA_DIR: folder, FILES_DIR: path.join(folder, 'not/there/yet') })
    expect(both).toEqual([{ of: 'DATA_DIR and FILES_DIR', free_bytes: expect.any(Number) }])
    // A file system of its own on every Linux.
    const apart = existsSync('/dev/shm') ? await readDisks({ DATA_DIR: folder, FILES_DIR: '/dev/shm' }) : both
    expect(apart.map(({ of }) => of).join(' and ')).toBe('DATA_DIR and FILES_DIR')
    expect(await readDisks({ DATA_DIR: '' })).toEqual([])
  } finally {
    removeThrowaway(folder)
  }
})

test('a database that takes no writes is told, and one that is away is 503', async () => {
  const url = env().DATABASE_URL
  try {
    await closeDatabase()
    env().DATABASE_URL = `${url}?options=${encodeURIComponent('-c default_transaction_read_only=on')}`
    expect((await look()).parts.database).toMatchObject({ status: 'degraded' })
    await closeDatabase()
    env().DATABASE_URL = 'postgresql://nobody:secret-word@127.0.0.1:1/nothing'
    const { status, error } = await call(ReadHealth)
    expect([status, error]).toEqual([
      503,
      { detail: 'provider_unavailable', message: 'The database cannot be reached.' },
    ])
  } finally {
    await closeDatabase()
    env().DATABASE_URL = url
  }
})

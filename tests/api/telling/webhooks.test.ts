import { expect, test } from 'vitest'
import { EVENT_TYPES } from '#lib/contracts/telling/webhook-events'
import {
  CreateWebhook,
  DeleteWebhook,
  ListWebhookDeliveries,
  ListWebhooks,
  ReadWebhook,
  ReadWebhookDelivery,
  RedeliverWebhook,
  RotateWebhookSecret,
  TestWebhook,
  UpdateWebhook,
} from '#lib/contracts/telling/webhooks'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'

type User = { workspace_id: string; user_id: string }

const URL = 'https://hooks.example.com/opener'
const create = (as: User, body: Record<string, unknown> = { url: URL }) => call(CreateWebhook, { as, body })

async function aWebhook(fields: Record<string, unknown> = {}) {
  const owner = await aUser()
  const { body } = await create(owner, { url: URL, ...fields })
  return { owner, webhook: body, at: { as: owner, params: { webhook_id: body.webhook_id } } }
}

test('201 shows the secret once; what is kept is sealed, and later only a hint is told', async () => {
  const { owner, webhook, at } = await aWebhook({ description: 'CRM' })
  expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(webhook).toMatchObject({ url: URL, description: 'CRM', enabled: true, event_types: EVENT_TYPES })
  expect(webhook.secret_hint).toBe(webhook.secret.slice(-4))
  const kept = JSON.stringify(await db.webhook.findMany({ where: { workspace_id: owner.workspace_id } }))
  expect(kept).not.toContain(webhook.secret.slice(6, 30))
  for (const { body } of [await call(ReadWebhook, at), await call(ListWebhooks, { as: owner })]) {
    expect(JSON.stringify(body)).toContain(webhook.webhook_id)
    expect(JSON.stringify(body)).not.toMatch(/"secret"|previous_secret"|whsec_|v1\./)
  }
})

test('what is given is changed, and nothing else', async () => {
  const { webhook, at } = await aWebhook({ description: 'CRM' })
  const { body } = await call(UpdateWebhook, {
    ...at,
    body: { event_types: ['lead.replied', 'lead.replied'] },
  })
  expect(body).toMatchObject({ url: URL, description: 'CRM', event_types: ['lead.replied'], enabled: true })
  const off = await call(UpdateWebhook, { ...at, body: { enabled: false } })
  expect(off.body).toMatchObject({ enabled: false, disabled_reason: 'user', event_types: ['lead.replied'] })
  const on = await call(UpdateWebhook, { ...at, body: { enabled: true } })
  expect(on.body).toMatchObject({ enabled: true, disabled_reason: null, disabled_at: null })
  expect(on.body.secret_hint).toBe(webhook.secret_hint)
})

test('enabling forgets the failures before', async () => {
  const { webhook, at } = await aWebhook()
  const failing = { failures: 9, failing_since: new Date(), retry_after: new Date(Date.now() + 60_000) }
  await db.webhook.update({
    where: { webhook_id: webhook.webhook_id },
    data: { ...failing, enabled: false, disabled_reason: 'failing' },
  })
  await call(UpdateWebhook, { ...at, body: { enabled: true } })
  const row = await db.webhook.findUniqueOrThrow({ where: { webhook_id: webhook.webhook_id } })
  expect(row).toMatchObject({ enabled: true, failures: 0, failing_since: null, retry_after: null })
})

test('a rotation answers a new secret and keeps the one before for a day', async () => {
  const { webhook, at } = await aWebhook()
  const { status, body } = await call(RotateWebhookSecret, at)
  expect(status).toBe(200)
  expect(body.secret).toMatch(/^whsec_/)
  expect(body.secret).not.toBe(webhook.secret)
  const left = Date.parse(body.previous_secret_until ?? '') - Date.now()
  expect(Math.round(left / 3_600_000)).toBe(24)
})

test('of two rotations at once one answers a secret that counts', async () => {
  const { webhook, at } = await aWebhook()
  const answers = await Promise.all([call(RotateWebhookSecret, at), call(RotateWebhookSecret, at)])
  const row = await db.webhook.findUniqueOrThrow({ where: { webhook_id: webhook.webhook_id } })
  const winner = answers.filter(({ status, body }) => status === 200 && body.secret_hint === row.secret_hint)
  expect(winner).toHaveLength(1)
  for (const { status, body } of answers) {
    expect([200, 409]).toContain(status)
    // Each answer contains the secret of its own rotation, even if another rotation was answered first.
    if (status === 200) expect(body.secret.slice(-4)).toBe(body.secret_hint)
  }
})

test('a deleted webhook is gone with its deliveries', async () => {
  const { webhook, at } = await aWebhook()
  await call(TestWebhook, at)
  expect((await call(DeleteWebhook, at)).status).toBe(204)
  expect((await call(ReadWebhook, at)).error.detail).toBe('webhook_not_found')
  expect(await db.webhookDelivery.count({ where: { webhook_id: webhook.webhook_id } })).toBe(0)
})

test('a test is a delivery like any other: listed, read with its body, and delivered once more', async () => {
  const { webhook, at } = await aWebhook()
  const { status, body } = await call(TestWebhook, at)
  expect(status).toBe(202)
  expect(body).toMatchObject({ event_type: 'webhook.test', status: 'pending', attempt_count: 0 })
  const listed = await call(ListWebhookDeliveries, at)
  expect(listed.body).toMatchObject({ total: 1, items: [{ delivery_id: body.delivery_id }] })
  const params = { ...at.params, delivery_id: body.delivery_id }
  const read = await call(ReadWebhookDelivery, { ...at, params })
  expect(JSON.parse(read.body.request_body)).toMatchObject({
    type: 'webhook.test',
    data: { webhook_id: webhook.webhook_id },
  })
  await db.webhookDelivery.update({
    where: { delivery_id: body.delivery_id },
    data: { status: 'failed', tries: 10, next_attempt_at: null },
  })
  const again = await call(RedeliverWebhook, { ...at, params })
  expect([again.status, again.body.status, again.body.event_id]).toEqual([202, 'pending', body.event_id])
  const row = await db.webhookDelivery.findUniqueOrThrow({ where: { delivery_id: body.delivery_id } })
  expect(row).toMatchObject({ tries: 0, status: 'pending' })
})

test('deliveries are filtered by their status', async () => {
  const { at } = await aWebhook()
  const { body } = await call(TestWebhook, at)
  await call(TestWebhook, at)
  await db.webhookDelivery.update({ where: { delivery_id: body.delivery_id }, data: { status: 'delivered' } })
  const totals = await Promise.all(
    ['delivered', 'pending', 'failed'].map((status) =>
      call(ListWebhookDeliveries, { ...at, query: { status } }),
    ),
  )
  expect(totals.map(({ body }) => body.total)).toEqual([1, 1, 0])
  expect((await call(ListWebhookDeliveries, { ...at, query: { status: 'lost' } })).status).toBe(422)
})

test('409 for tests and redeliveries of a disabled webhook, which would never leave', async () => {
  const { at } = await aWebhook()
  const { body } = await call(TestWebhook, at)
  await call(UpdateWebhook, { ...at, body: { enabled: false } })
  expect((await call(TestWebhook, at)).status).toBe(409)
  const params = { ...at.params, delivery_id: body.delivery_id }
  expect((await call(RedeliverWebhook, { ...at, params })).status).toBe(409)
})

test.each([
  ['no address', {}],
  ['what is no address', { url: 'hooks.example.com' }],
  ['plain http', { url: 'http://hooks.example.com/' }],
  ['another scheme', { url: 'ftp://hooks.example.com/' }],
  ['a password in it', { url: 'https://me:secret@hooks.example.com/' }],
  ['loopback', { url: 'https://127.0.0.1/' }],
  ['loopback in another notation', { url: 'https://2130706433/' }],
  ['the metadata service', { url: 'https://169.254.169.254/latest/meta-data' }],
  ['an IPv6 loopback', { url: 'https://[::1]/' }],
  ['an IPv4 address inside IPv6', { url: 'https://[::ffff:10.0.0.1]/' }],
  ['this machine by name', { url: 'https://localhost/' }],
  ['this machine by a name with a dot', { url: 'https://hooks.localhost./' }],
  ['a name without a domain', { url: 'https://intranet/' }],
  ['a name of the local network', { url: 'https://printer.local/' }],
  ['a name of a private cloud', { url: 'https://metadata.google.internal/' }],
  ['an unknown event', { url: URL, event_types: ['lead.vanished'] }],
  ['no event at all', { url: URL, event_types: [] }],
  ['a description of white space', { url: URL, description: ' ' }],
])('422 for %s, and none is made', async (_, body) => {
  const owner = await aUser()
  expect((await create(owner, body)).status).toBe(422)
  expect(await db.webhook.count({ where: { workspace_id: owner.workspace_id } })).toBe(0)
})

test('at most 50 are made, however many are asked for at once', async () => {
  const owner = await aUser()
  const asked = await Promise.all(Array.from({ length: 57 }, () => create(owner)))
  expect(asked.filter(({ status }) => status === 201)).toHaveLength(50)
  expect(asked.filter(({ status }) => status === 409)).toHaveLength(7)
  expect(await db.webhook.count({ where: { workspace_id: owner.workspace_id } })).toBe(50)
})

test('a change to an address that is not allowed is refused as well', async () => {
  const { at } = await aWebhook()
  expect((await call(UpdateWebhook, { ...at, body: { url: 'https://10.0.0.1/' } })).status).toBe(422)
  expect((await call(ReadWebhook, at)).body.url).toBe(URL)
})

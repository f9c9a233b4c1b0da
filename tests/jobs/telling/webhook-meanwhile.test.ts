import { expect, test } from 'vitest'
import { db } from '#lib/db/client'
import type { HttpPost } from '#lib/providers/outbound-http'
import { redeliverWebhook, testWebhook } from '#lib/services/telling/webhook-deliveries'
import { deleteWebhook, updateWebhook } from '#lib/services/telling/webhooks'
import { aUser } from '#tests/support/scenes/factories'
import {
  answering,
  DAY,
  deliverAt,
  later,
  listen,
  onlyDelivery,
  SECOND,
  webhookOf,
} from '#tests/support/scenes/webhooks'

/** A webhook with three pending events. */
async function withThree() {
  const owner = await aUser()
  const { webhook_id } = await listen(owner, 'https://old.example.com/')
  for (const ms of [0, 1, 2]) await testWebhook(owner.workspace_id, webhook_id, later(ms))
  return { owner, webhook_id }
}

/** Answers `status`, and runs `work` while the first attempt is in progress. */
function meanwhile(status: number, work: () => Promise<unknown>) {
  const urls: string[] = []
  const post = async (sent: HttpPost) => {
    urls.push(sent.url)
    if (urls.length === 1) await work()
    return answering(sent.url.includes('old') ? status : 204)()
  }
  return { urls, post }
}

test('once it is disabled, nothing more is sent, though an attempt was under way', async () => {
  const { owner, webhook_id } = await withThree()
  const { urls, post } = meanwhile(204, () =>
    updateWebhook(owner.workspace_id, webhook_id, { enabled: false }, later(SECOND)),
  )
  expect(await deliverAt(SECOND, post)).toEqual({ attempts: 1, delivered: 1 })
  expect(urls).toHaveLength(1)
  expect(await db.webhookDelivery.count({ where: { webhook_id, status: 'pending' } })).toBe(2)
})

test('one that is deleted while an attempt is under way is called no more', async () => {
  const { owner, webhook_id } = await withThree()
  const { urls, post } = meanwhile(500, () => deleteWebhook(owner.workspace_id, webhook_id))
  expect(await deliverAt(SECOND, post)).toEqual({ attempts: 1, delivered: 0 })
  expect(urls).toHaveLength(1)
})

test('an address that is changed counts from the next attempt on, and the old one’s 410 disables nothing', async () => {
  const { owner, webhook_id } = await withThree()
  const { urls, post } = meanwhile(410, () =>
    updateWebhook(owner.workspace_id, webhook_id, { url: 'https://new.example.com/' }, later(SECOND)),
  )
  expect(await deliverAt(SECOND, post)).toEqual({ attempts: 4, delivered: 3 })
  expect(urls.map((url) => new URL(url).host)).toEqual([
    'old.example.com',
    ...Array.from({ length: 3 }, () => 'new.example.com'),
  ])
  expect(await webhookOf({ webhook_id })).toMatchObject({ enabled: true, failures: 0, failing_since: null })
})

test('one that is asked for once more while an attempt is under way goes out again', async () => {
  const owner = await aUser()
  const { webhook_id } = await listen(owner, 'https://hooks.example.com/')
  await testWebhook(owner.workspace_id, webhook_id, later(0))
  const { delivery_id } = await onlyDelivery(owner)
  await db.webhookDelivery.updateMany({ data: { tries: 9 } })
  const ids = { webhook_id, delivery_id }
  const again = async () => {
    await redeliverWebhook(owner.workspace_id, ids, later(SECOND))
    return answering(500)()
  }
  await deliverAt(0, again)
  expect(await onlyDelivery(owner)).toMatchObject({
    status: 'pending',
    tries: 0,
    next_attempt_at: later(SECOND),
  })
  await db.webhook.updateMany({ data: { retry_after: null } })
  await deliverAt(DAY, answering(204))
  const { status, attempts } = await onlyDelivery(owner)
  expect([status, attempts]).toMatchObject(['delivered', [{ status_code: 500 }, { status_code: 204 }]])
})

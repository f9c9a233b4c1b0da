import { describe, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import type { HttpPost } from '#lib/providers/outbound-http'
import { redeliverWebhook, testWebhook } from '#lib/services/telling/webhook-deliveries'
import { rotateWebhookSecret } from '#lib/services/telling/webhooks'
import { aUser } from '#tests/support/scenes/factories'
import {
  answering,
  aReceiver,
  DAY,
  deliverAt,
  later,
  listen,
  MINUTE,
  onlyDelivery,
  SECOND,
} from '#tests/support/scenes/webhooks'

describe('a delivery', () => {
  test('is verified by the library of the specification, and one that was altered is not', async () => {
    const owner = await aUser()
    const hook = await aReceiver()
    const { secret, webhook_id } = await listen(owner, hook.url)
    await testWebhook(owner.workspace_id, webhook_id, later(0))
    expect(await deliverAt(0)).toEqual({ attempts: 1, delivered: 1 })
    const [one] = hook.received
    if (!one) throw new Error('nothing came')
    // The specification lets a receiver refuse a signature that is older than five minutes, by its own clock.
    expect(hook.verified(secret, one)).toMatchObject({ type: 'webhook.test', data: { webhook_id } })
    expect(one.headers['content-type']).toBe('application/json')
    expect(() => hook.verified(secret, { ...one, body: one.body.replace('test', 'toast') })).toThrow()
    const delivery = await onlyDelivery(owner)
    expect(one.headers['webhook-id']).toBe(delivery.event_id)
    expect(delivery).toMatchObject({ status: 'delivered', next_attempt_at: null, last_error: null })
    expect(delivery.attempts).toMatchObject([{ status_code: 204, error: null }])
    expect((await deliverAt(DAY)).attempts).toBe(0)
  })

  test('is signed by both secrets for a day after a rotation, and then by the new one alone', async () => {
    const owner = await aUser()
    const hook = await aReceiver()
    const { secret, webhook_id } = await listen(owner, hook.url)
    const rotated = await rotateWebhookSecret(owner.workspace_id, webhook_id, later(30 * SECOND - DAY))
    for (const ms of [0, MINUTE]) {
      await testWebhook(owner.workspace_id, webhook_id, later(ms))
      await deliverAt(ms)
    }
    const [within, after] = hook.received
    if (!within || !after) throw new Error('two should have come')
    expect(within.headers['webhook-signature']?.split(' ')).toHaveLength(2)
    expect(after.headers['webhook-signature']?.split(' ')).toHaveLength(1)
    for (const one of [within, after]) expect(hook.verified(rotated.secret, one)).toBeTruthy()
    expect(hook.verified(secret, within)).toBeTruthy()
    expect(() => hook.verified(secret, after)).toThrow()
  })

  test('that fails is tried again on schedule under the same id, and at last given up', async () => {
    const owner = await aUser()
    const seen: string[] = []
    const { webhook_id } = await listen(owner, 'https://hooks.example.com/')
    await testWebhook(owner.workspace_id, webhook_id, later(0))
    const down = async (post: HttpPost) => {
      seen.push(post.headers['webhook-id'] ?? '')
      return answering(500)()
    }
    const waits: number[] = []
    let ms = 0
    for (let attempt = 1; attempt <= 12; attempt += 1) {
      if ((await deliverAt(ms, down)).attempts === 0) break
      const { next_attempt_at, status } = await onlyDelivery(owner)
      if (status !== 'pending' || !next_attempt_at) break
      // Not a moment before it is due.
      expect((await deliverAt(next_attempt_at.getTime() - later(1).getTime(), down)).attempts).toBe(0)
      waits.push((next_attempt_at.getTime() - later(ms).getTime()) / SECOND)
      ms = next_attempt_at.getTime() - later(0).getTime()
      await db.webhook.updateMany({ data: { retry_after: null } })
    }
    const [minute, hour] = [60, 3_600]
    expect(waits).toEqual([
      5,
      5 * minute,
      30 * minute,
      2 * hour,
      5 * hour,
      10 * hour,
      14 * hour,
      20 * hour,
      24 * hour,
    ])
    expect(await onlyDelivery(owner)).toMatchObject({
      status: 'failed',
      last_error: 'Answered 500.',
      tries: 10,
    })
    expect([...new Set(seen)]).toHaveLength(1)
    expect(seen).toHaveLength(10)
  })

  test('asked for once more goes out again under the same id', async () => {
    const owner = await aUser()
    const hook = await aReceiver()
    const { webhook_id } = await listen(owner, hook.url)
    await testWebhook(owner.workspace_id, webhook_id, later(0))
    await deliverAt(0)
    const { delivery_id } = await onlyDelivery(owner)
    await redeliverWebhook(owner.workspace_id, { webhook_id, delivery_id }, later(SECOND))
    await deliverAt(SECOND)
    const ids = hook.received.map(({ headers }) => headers['webhook-id'])
    expect(ids).toHaveLength(2)
    expect(ids[0]).toBe(ids[1])
  })

  test('follows no redirect', async () => {
    const owner = await aUser()
    const target = await aReceiver()
    const hook = await aReceiver(
      (_, response) => void response.writeHead(307, { location: target.url }).end(),
    )
    const { webhook_id } = await listen(owner, hook.url)
    await testWebhook(owner.workspace_id, webhook_id, later(0))
    expect(await deliverAt(0)).toEqual({ attempts: 1, delivered: 0 })
    expect(target.received).toEqual([])
    expect((await onlyDelivery(owner)).last_error).toBe('Redirected (307): not followed.')
  })

  test('keeps no more than the first KiB of the answer', async () => {
    const owner = await aUser()
    const hook = await aReceiver((_, response) => void response.writeHead(400).end('x'.repeat(5_000_000)))
    const { webhook_id } = await listen(owner, hook.url)
    await testWebhook(owner.workspace_id, webhook_id, later(0))
    await deliverAt(0)
    const [attempt] = (await onlyDelivery(owner)).attempts as { response: string }[]
    expect(attempt?.response).toBe('x'.repeat(1_024))
  })
})

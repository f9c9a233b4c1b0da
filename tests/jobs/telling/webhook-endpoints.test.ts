import { describe, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { type HttpAnswer, type HttpPost, postOutbound } from '#lib/providers/outbound-http'
import { testWebhook } from '#lib/services/telling/webhook-deliveries'
import { updateWebhook } from '#lib/services/telling/webhooks'
import { aUser } from '#tests/support/scenes/factories'
import {
  answering,
  aReceiver,
  DAY,
  deliverAt,
  later,
  listen,
  local,
  MINUTE,
  SECOND,
  webhookOf,
} from '#tests/support/scenes/webhooks'

describe('an endpoint', () => {
  test('that answers 410 is disabled, its owner is told, and what waits stays', async () => {
    const owner = await aUser()
    const hook = await aReceiver((_, response) => void response.writeHead(410).end())
    const { webhook_id } = await listen(owner, hook.url)
    for (const ms of [0, 1]) await testWebhook(owner.workspace_id, webhook_id, later(ms))
    expect((await deliverAt(SECOND)).attempts).toBe(1)
    expect(await webhookOf({ webhook_id })).toMatchObject({ enabled: false, disabled_reason: 'gone' })
    expect(await db.notification.findMany({ where: { workspace_id: owner.workspace_id } })).toMatchObject([
      { kind: 'webhook_disabled', data: { webhook_id, reason: 'gone' } },
    ])
    expect((await deliverAt(DAY)).attempts).toBe(0)
    await updateWebhook(owner.workspace_id, webhook_id, { enabled: true }, later(DAY))
    expect((await deliverAt(DAY, answering(200))).delivered).toBe(1)
  })

  test('through which nothing got for five days is disabled; one success in between starts the days anew', async () => {
    const owner = await aUser()
    const { webhook_id } = await listen(owner, 'https://hooks.example.com/')
    const tryAt = async (ms: number, status: number) => {
      await testWebhook(owner.workspace_id, webhook_id, later(ms))
      await deliverAt(ms, answering(status))
      return (await webhookOf({ webhook_id })).enabled
    }
    expect(await tryAt(0, 500)).toBe(true)
    expect(await tryAt(4 * DAY, 200)).toBe(true)
    expect(await tryAt(5 * DAY + MINUTE, 500)).toBe(true)
    expect(await tryAt(10 * DAY, 500)).toBe(true)
    expect(await tryAt(10 * DAY + 2 * MINUTE, 500)).toBe(false)
    expect(await webhookOf({ webhook_id })).toMatchObject({ disabled_reason: 'failing' })
  })

  test('that hangs gets one attempt and rests, while the others get all of theirs', async () => {
    const [slow, quick] = [await aUser(), await aUser()]
    const hook = await aReceiver()
    const dead = await listen(slow, 'https://hang.example.com/')
    const alive = await listen(quick, hook.url)
    for (let count = 0; count < 5; count += 1) {
      await testWebhook(slow.workspace_id, dead.webhook_id, later(count))
      await testWebhook(quick.workspace_id, alive.webhook_id, later(count))
    }
    const hanging: HttpAnswer = { status: null, error: 'No answer within 15 s', reason: 'timeout' }
    const post = async (sent: HttpPost) => (sent.url.includes('hang') ? hanging : local(sent))
    expect(await deliverAt(SECOND, post)).toEqual({ attempts: 6, delivered: 5 })
    expect(hook.received).toHaveLength(5)
    expect((await webhookOf(dead)).retry_after).toEqual(later(6 * SECOND))
  })

  test('gets its events in their order, one at a time', async () => {
    const owner = await aUser()
    let open = 0
    let most = 0
    const hook = await aReceiver((_, response) => {
      open += 1
      most = Math.max(most, open)
      setImmediate(() => {
        open -= 1
        response.writeHead(204).end()
      })
    })
    const { webhook_id } = await listen(owner, hook.url)
    const wanted: string[] = []
    for (let count = 0; count < 30; count += 1)
      wanted.push((await testWebhook(owner.workspace_id, webhook_id, later(0))).event_id)
    // Two workers at once.
    await Promise.all([deliverAt(0), deliverAt(0)])
    expect(hook.received.map(({ headers }) => headers['webhook-id'])).toEqual(wanted)
    expect(most).toBe(1)
  })

  test('is served again after the lease of a worker that died between call and record: at least once', async () => {
    const owner = await aUser()
    const hook = await aReceiver()
    const { webhook_id } = await listen(owner, hook.url)
    await testWebhook(owner.workspace_id, webhook_id, later(0))
    // Every later call fails as well: another lane of this process would find the webhook released, unlike after a real crash.
    let isDead = false
    const dying = async (post: HttpPost) => {
      if (!isDead) {
        isDead = true
        await local(post)
      }
      throw new Error('killed')
    }
    await expect(deliverAt(0, dying)).rejects.toThrow('killed')
    // The lease that a dead process leaves behind.
    await db.webhook.update({
      where: { webhook_id },
      data: { lease_until: later(MINUTE), lease_owner: crypto.randomUUID() },
    })
    expect((await deliverAt(30 * SECOND)).attempts).toBe(0)
    expect((await deliverAt(MINUTE)).delivered).toBe(1)
    expect(new Set(hook.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(hook.received).toHaveLength(2)
  })
})

describe('the way out', () => {
  const strict = { policy: { allow_private_hosts: false } }
  const post = (url: string, timeout_ms = 5_000) => ({ url, headers: {}, body: '{}', timeout_ms })

  test.each(['http://127.0.0.1:1/', 'http://[::1]:1/', 'http://169.254.169.254/', 'http://localhost:1/'])(
    'does not lead to %s',
    async (url) => {
      expect(await postOutbound(post(url), strict)).toMatchObject({ status: null, reason: 'blocked' })
    },
  )

  test('leads to the address that was checked, and to no second answer of the name server', async () => {
    const hook = await aReceiver()
    let asked = 0
    const lookup = async () => {
      asked += 1
      return [asked === 1 ? '127.0.0.1' : '10.255.255.1']
    }
    const allowed = { policy: { allow_private_hosts: true }, lookup }
    const url = `http://rebinds.example.com:${hook.port}/hook`
    expect(await postOutbound(post(url), allowed)).toMatchObject({ status: 204 })
    expect([asked, hook.received[0]?.headers.host]).toEqual([1, `rebinds.example.com:${hook.port}`])
    const inside = { ...strict, lookup: async () => ['127.0.0.1'] }
    expect(await postOutbound(post(url), inside)).toMatchObject({ status: null, reason: 'blocked' })
    expect(hook.received).toHaveLength(1)
  })

  test('ends at the deadline where the receiver says nothing, and where the name server says nothing', async () => {
    const hook = await aReceiver(() => undefined)
    const open = { policy: { allow_private_hosts: true } }
    expect(await postOutbound(post(hook.url, 50), open)).toMatchObject({ status: null, reason: 'timeout' })
    const lookup = () => new Promise<string[]>(() => undefined)
    const silent = await postOutbound(post('https://hooks.example.com/', 50), { ...open, lookup })
    expect(silent).toMatchObject({ status: null, reason: 'timeout' })
  })

  test('says that nobody listens', async () => {
    const hook = await aReceiver()
    await hook.close()
    const answer = await postOutbound(post(hook.url), { policy: { allow_private_hosts: true } })
    expect(answer).toMatchObject({ status: null, reason: 'unreachable' })
  })
})

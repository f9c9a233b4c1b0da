import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { EVENTS, type EventType, webhookPayload } from '#lib/contracts/telling/webhook-events'
import { CreateWebhook } from '#lib/contracts/telling/webhooks'
import { db, pool } from '#lib/db/client'
import { statementsOf } from '#lib/db/statements'
import { type HttpAnswer, type HttpPost, postOutbound } from '#lib/providers/outbound-http'
import { moveCampaign } from '#lib/services/campaigns/state'
import { failImport } from '#lib/services/datasets/import'
import { failLaunch } from '#lib/services/launch/enrolment'
import { pauseCampaign, resumeCampaign } from '#lib/services/launch/lifecycle'
import { deliverWebhooks } from '#lib/services/telling/deliver-webhook'
import { redeliverWebhook, testWebhook } from '#lib/services/telling/webhook-deliveries'
import { createWebhook, rotateWebhookSecret, updateWebhook } from '#lib/services/telling/webhooks'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { arrive, bounceOf, complaintOf, replyTo } from '#tests/support/scenes/arrivals'
import { aCampaign, aDataset, aUser } from '#tests/support/scenes/factories'
import { refuseSignIn } from '#tests/support/scenes/failing'
import { dispatchAt, launched, MONDAY, minutes } from '#tests/support/scenes/launched'
import { receiver } from '#tests/support/servers/receiver'

// Before anything reads the environment: the receivers stand on this machine.
process.env.ALLOW_PRIVATE_HOSTS = '1'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE
/** What the database dates by itself during a test lies before it; those who verify allow a clock five minutes. */
let start = 0
beforeEach(() => {
  start = Date.now() + 3 * MINUTE
})
const later = (ms: number) => new Date(start + ms)

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  await db.webhookEvent.deleteMany()
  await db.webhook.deleteMany()
  await db.campaign.deleteMany()
  await Promise.all(closing.splice(0).map((close) => close()))
})

type User = { user_id: string }

async function aReceiver(...answer: Parameters<typeof receiver>) {
  const made = await receiver(...answer)
  closing.push(made.close)
  return made
}

const listen = (owner: User, url: string, fields: Record<string, unknown> = {}) =>
  createWebhook(owner.user_id, CreateWebhook.body.parse({ url, ...fields }), later(0))

const local = (post: HttpPost) => postOutbound(post, { policy: { allow_private_hosts: true } })

/** One worker that attempts what is due at an instant; its clock stands still. */
const deliverAt = (ms: number, post = local) =>
  deliverWebhooks({
    pool: pool(),
    post,
    clock: () => later(ms),
    until: later(ms + DAY),
    chance: () => 0.5,
  })

const answering = (status: number) => async (): Promise<HttpAnswer> => ({
  status,
  response: 'as told',
  retry_after: null,
})

const onlyDelivery = async (owner: User) =>
  db.webhookDelivery.findFirstOrThrow({ where: { user_id: owner.user_id }, include: { event: true } })
const webhookOf = ({ webhook_id }: { webhook_id: string }) =>
  db.webhook.findUniqueOrThrow({ where: { webhook_id } })

describe('a delivery', () => {
  test('is verified by the library of the specification, and one that was altered is not', async () => {
    const owner = await aUser()
    const hook = await aReceiver()
    const { secret, webhook_id } = await listen(owner, hook.url)
    await testWebhook(owner.user_id, webhook_id, later(0))
    expect(await deliverAt(0)).toEqual({ attempts: 1, delivered: 1 })
    const [one] = hook.received
    if (!one) throw new Error('nothing came')
    // The specification lets a receiver refuse what is older than five minutes, by its own clock.
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
    const rotated = await rotateWebhookSecret(owner.user_id, webhook_id, new Date(start - DAY + 30 * SECOND))
    for (const ms of [0, MINUTE]) {
      await testWebhook(owner.user_id, webhook_id, later(ms))
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
    await testWebhook(owner.user_id, webhook_id, later(0))
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
      expect((await deliverAt(next_attempt_at.getTime() - start - 1, down)).attempts).toBe(0)
      waits.push((next_attempt_at.getTime() - start - ms) / SECOND)
      ms = next_attempt_at.getTime() - start
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
    await testWebhook(owner.user_id, webhook_id, later(0))
    await deliverAt(0)
    const { delivery_id } = await onlyDelivery(owner)
    await redeliverWebhook(owner.user_id, { webhook_id, delivery_id }, later(SECOND))
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
    await testWebhook(owner.user_id, webhook_id, later(0))
    expect(await deliverAt(0)).toEqual({ attempts: 1, delivered: 0 })
    expect(target.received).toEqual([])
    expect((await onlyDelivery(owner)).last_error).toBe('Redirected (307): not followed.')
  })

  test('keeps no more than the first KiB of the answer', async () => {
    const owner = await aUser()
    const hook = await aReceiver((_, response) => void response.writeHead(400).end('x'.repeat(5_000_000)))
    const { webhook_id } = await listen(owner, hook.url)
    await testWebhook(owner.user_id, webhook_id, later(0))
    await deliverAt(0)
    const [attempt] = (await onlyDelivery(owner)).attempts as { response: string }[]
    expect(attempt?.response).toBe('x'.repeat(1_024))
  })
})

describe('an endpoint', () => {
  test('that answers 410 is disabled, its owner is told, and what waits stays', async () => {
    const owner = await aUser()
    const hook = await aReceiver((_, response) => void response.writeHead(410).end())
    const { webhook_id } = await listen(owner, hook.url)
    for (const ms of [0, 1]) await testWebhook(owner.user_id, webhook_id, later(ms))
    expect((await deliverAt(SECOND)).attempts).toBe(1)
    expect(await webhookOf({ webhook_id })).toMatchObject({ enabled: false, disabled_reason: 'gone' })
    expect(await db.notification.findMany({ where: { user_id: owner.user_id } })).toMatchObject([
      { kind: 'webhook_disabled', data: { webhook_id, reason: 'gone' } },
    ])
    expect((await deliverAt(DAY)).attempts).toBe(0)
    await updateWebhook(owner.user_id, webhook_id, { enabled: true }, later(DAY))
    expect((await deliverAt(DAY, answering(200))).delivered).toBe(1)
  })

  test('through which nothing got for five days is disabled; one success in between starts the days anew', async () => {
    const owner = await aUser()
    const { webhook_id } = await listen(owner, 'https://hooks.example.com/')
    const tryAt = async (ms: number, status: number) => {
      await testWebhook(owner.user_id, webhook_id, later(ms))
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
      await testWebhook(slow.user_id, dead.webhook_id, later(count))
      await testWebhook(quick.user_id, alive.webhook_id, later(count))
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
      wanted.push((await testWebhook(owner.user_id, webhook_id, later(0))).event_id)
    // Two workers at once.
    await Promise.all([deliverAt(0), deliverAt(0)])
    expect(hook.received.map(({ headers }) => headers['webhook-id'])).toEqual(wanted)
    expect(most).toBe(1)
  })

  test('is served again after the lease of a worker that died between call and record: at least once', async () => {
    const owner = await aUser()
    const hook = await aReceiver()
    const { webhook_id } = await listen(owner, hook.url)
    await testWebhook(owner.user_id, webhook_id, later(0))
    // Dead for all of its lanes: one that comes later finds the turn free again, which a process that is gone would not.
    let isDead = false
    const dying = async (post: HttpPost) => {
      if (!isDead) {
        isDead = true
        await local(post)
      }
      throw new Error('killed')
    }
    await expect(deliverAt(0, dying)).rejects.toThrow('killed')
    // As a process that is gone leaves it.
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

describe('events', () => {
  const typesOf = async (owner: User) =>
    (await db.webhookEvent.findMany({ where: { user_id: owner.user_id }, orderBy: { event_id: 'asc' } })).map(
      ({ type }) => type,
    )

  test('tell a campaign from its launch to its end, each fact once, in the form that is documented', async () => {
    const owner = await aUser()
    // A webhook of the owner that `launched` makes would come too late: the owner is taken over.
    const made = await launched({ steps_config: [{ subject: 'Hi', message_template: 'Hi' }] }, 4)
    await listen(made.owner, 'https://hooks.example.com/')
    await listen(owner, 'https://hooks.example.com/')
    const { outbox } = await dispatchAt(MONDAY)
    const [first, second, third] = outbox
    if (!first || !second || !third) throw new Error('mails should have left')
    const at = minutes(30)
    await arrive(made.mailbox, replyTo(first), at)
    await arrive(made.mailbox, replyTo(first, 'And again.'), at)
    await arrive(made.mailbox, bounceOf(second, '5.1.1'), at)
    await arrive(made.mailbox, complaintOf(third), at)
    const types = await typesOf(made.owner)
    expect(types.toSorted()).toEqual(
      [
        ...Array<string>(4).fill('lead.sent'),
        ...Array<string>(4).fill('lead.completed'),
        'campaign.completed',
        'lead.bounced',
        'lead.complained',
        'lead.replied',
      ].toSorted(),
    )
    const events = await db.webhookEvent.findMany({ where: { user_id: made.owner.user_id } })
    for (const { type, at: when, data } of events) {
      const payload = { type, timestamp: when.toISOString(), data }
      expect([type, webhookPayload(type as EventType).safeParse(payload).error?.issues]).toEqual([
        type,
        undefined,
      ])
    }
    const replied = events.find(({ type }) => type === 'lead.replied')
    expect(replied?.data).toMatchObject({ email: first.to.address, campaign_id: made.campaign_id, step: 1 })
    // Another owner hears nothing of it.
    expect(await typesOf(owner)).toEqual([])
    expect(await db.webhookDelivery.count({ where: { user_id: made.owner.user_id } })).toBe(types.length)
  })

  test('tell of pauses, resumptions, failures, disconnections, imports and posts', async () => {
    const made = await launched()
    await listen(made.owner, 'https://hooks.example.com/')
    await pauseCampaign(made.owner.user_id, made.campaign_id, MONDAY)
    await resumeCampaign(made.owner.user_id, made.campaign_id, MONDAY)
    await refuseSignIn(made.owner.user_id, made.mailbox.mailbox_id, MONDAY)
    await refuseSignIn(made.owner.user_id, made.mailbox.mailbox_id, MONDAY)
    const draft = await aCampaign(made.owner)
    await db.campaign.update({ where: { campaign_id: draft.campaign_id }, data: { status: 'launching' } })
    await failLaunch(draft.campaign_id, 'No sender.')
    const { dataset_id } = await aDataset(made.owner)
    const session = { dataset_id, user_id: made.owner.user_id, status: 'processing' as const }
    const { session_id } = await db.datasetSession.create({ data: session })
    await failImport(session_id, 'It is damaged.')
    const { id } = await db.socialPost.create({ data: { user_id: made.owner.user_id, text: 'A post' } })
    for (const status of ['publishing', 'failed', 'failed'] as const)
      await db.socialPost.update({ where: { id }, data: { status, last_error: 'Too long.' } })
    expect(await typesOf(made.owner)).toEqual([
      'campaign.paused',
      'campaign.resumed',
      'mailbox.disconnected',
      'mailbox.failing',
      'campaign.failed',
      'dataset.failed',
      'post.failed',
    ])
    for (const { type, at, data } of await db.webhookEvent.findMany()) {
      const payload = { type, timestamp: at.toISOString(), data }
      expect(webhookPayload(type as EventType).parse(payload)).toBeTruthy()
    }
  })

  test('are kept only for webhooks that ask for their type and are enabled', async () => {
    const made = await launched()
    const asks = await listen(made.owner, 'https://a.example.com/', { event_types: ['campaign.paused'] })
    await listen(made.owner, 'https://b.example.com/', { event_types: ['lead.replied'] })
    await listen(made.owner, 'https://c.example.com/', { enabled: false })
    await pauseCampaign(made.owner.user_id, made.campaign_id, MONDAY)
    await resumeCampaign(made.owner.user_id, made.campaign_id, MONDAY)
    const deliveries = await db.webhookDelivery.findMany({ include: { event: true } })
    expect(deliveries.map(({ webhook_id, event }) => [webhook_id, event.type])).toEqual([
      [asks.webhook_id, 'campaign.paused'],
    ])
    expect(await db.webhookEvent.count()).toBe(1)
  })

  test('of a fact that is undone are undone with it', async () => {
    const made = await launched()
    await listen(made.owner, 'https://hooks.example.com/')
    const undone = db.$transaction(async (tx) => {
      const running = { campaign_id: made.campaign_id, status: 'active' } as const
      await moveCampaign(statementsOf(tx), running, { by: 'complete' }, MONDAY)
      expect(await tx.webhookEvent.count()).toBe(1)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await db.webhookEvent.count()).toBe(0)
  })

  test('leave no row where nobody asks', async () => {
    const made = await launched()
    await dispatchAt(MONDAY, memoryMail())
    await pauseCampaign(made.owner.user_id, made.campaign_id, MONDAY)
    expect(await db.webhookEvent.count()).toBe(0)
  })

  test('all have a sentence for people', () => {
    for (const { when } of Object.values(EVENTS)) expect(when).toMatch(/^[A-Z].*\.$/)
  })
})

import { describe, expect, test } from 'vitest'
import { EVENTS, type EventType, webhookPayload } from '#lib/contracts/telling/webhook-events'
import { db, pool } from '#lib/db/client'
import { toStatements } from '#lib/db/statements'
import { moveCampaign } from '#lib/services/campaigns/state'
import { failImport } from '#lib/services/datasets/session-state'
import { failLaunch } from '#lib/services/launch/enrolment'
import { pauseCampaign, resumeCampaign } from '#lib/services/launch/lifecycle'
import { type PostAtWork, writeRefused } from '#lib/services/posts/state'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { arrive, bounceOf, complaintOf, replyTo } from '#tests/support/scenes/arrivals'
import { aCampaign, aDataset, aUser } from '#tests/support/scenes/factories'
import { refuseSignIn } from '#tests/support/scenes/failing'
import { dispatchAt, launched, MONDAY, minutes } from '#tests/support/scenes/launched'
import { listen, type User } from '#tests/support/scenes/webhooks'

describe('events', () => {
  const typesOf = async (owner: User) =>
    (
      await db.webhookEvent.findMany({
        where: { workspace_id: owner.workspace_id },
        orderBy: { event_id: 'asc' },
      })
    ).map(({ type }) => type)

  test('tell a campaign from its launch to its end, each fact once, in the form that is documented', async () => {
    const owner = await aUser()
    // `launched` creates an owner of its own, whose webhook gets the events; the webhook of `owner` must get none.
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
    const events = await db.webhookEvent.findMany({ where: { workspace_id: made.owner.workspace_id } })
    for (const { type, at: when, data } of events) {
      const payload = { type, timestamp: when.toISOString(), data }
      expect([type, webhookPayload(type as EventType).safeParse(payload).error?.issues]).toEqual([
        type,
        undefined,
      ])
    }
    const replied = events.find(({ type }) => type === 'lead.replied')
    expect(replied?.data).toMatchObject({ email: first.to.address, campaign_id: made.campaign_id, step: 1 })
    // Another owner gets none of these events.
    expect(await typesOf(owner)).toEqual([])
    expect(await db.webhookDelivery.count({ where: { workspace_id: made.owner.workspace_id } })).toBe(
      types.length,
    )
  })

  test('tell of pauses, resumptions, failures, disconnections, imports and posts', async () => {
    const made = await launched()
    await listen(made.owner, 'https://hooks.example.com/')
    await pauseCampaign(made.owner.workspace_id, made.campaign_id, MONDAY)
    await resumeCampaign(made.owner.workspace_id, made.campaign_id, MONDAY)
    await refuseSignIn(made.owner.workspace_id, made.mailbox.mailbox_id, MONDAY)
    await refuseSignIn(made.owner.workspace_id, made.mailbox.mailbox_id, MONDAY)
    const draft = await aCampaign(made.owner)
    await db.campaign.update({ where: { campaign_id: draft.campaign_id }, data: { status: 'launching' } })
    await failLaunch(draft.campaign_id, 'No sender.')
    const { dataset_id } = await aDataset(made.owner)
    const session = { dataset_id, workspace_id: made.owner.workspace_id, status: 'processing' as const }
    const { session_id } = await db.datasetSession.create({ data: session })
    await failImport(session_id, 'It is damaged.')
    const { id } = await db.socialPost.create({
      data: { workspace_id: made.owner.workspace_id, user_id: made.owner.user_id, text: 'A post' },
    })
    const under_way = { status: 'publishing' as const, reference: crypto.randomUUID() }
    const post = await db.socialPost.update({ where: { id }, data: under_way })
    const refusal = { response: 'Too long.', may_retry: false, retry_after_seconds: null }
    for (let time = 0; time < 2; time++) await writeRefused(pool(), post as PostAtWork, refusal, MONDAY)
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
    await pauseCampaign(made.owner.workspace_id, made.campaign_id, MONDAY)
    await resumeCampaign(made.owner.workspace_id, made.campaign_id, MONDAY)
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
      await moveCampaign(toStatements(tx), running, { by: 'complete' }, MONDAY)
      expect(await tx.webhookEvent.count()).toBe(1)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await db.webhookEvent.count()).toBe(0)
  })

  test('leave no row where nobody asks', async () => {
    const made = await launched()
    await dispatchAt(MONDAY, memoryMail())
    await pauseCampaign(made.owner.workspace_id, made.campaign_id, MONDAY)
    expect(await db.webhookEvent.count()).toBe(0)
  })

  test('all have a sentence for people', () => {
    for (const { when } of Object.values(EVENTS)) expect(when).toMatch(/^[A-Z].*\.$/)
  })
})

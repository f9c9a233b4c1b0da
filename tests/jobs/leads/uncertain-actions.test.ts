import { afterEach, expect, test } from 'vitest'
import { ListUncertainActions, ResolveUncertainAction } from '#lib/contracts/leads/uncertain-actions'
import { db, pool } from '#lib/db/client'
import { leadTimeline } from '#lib/services/forecast/lead-timelines'
import { pauseCampaign, resumeCampaign } from '#lib/services/launch/lifecycle'
import { suppress } from '#lib/services/leads/endings'
import { resolveUncertainAction } from '#lib/services/leads/uncertain-actions'
import { deleteMailbox } from '#lib/services/senders/mailboxes'
import { call } from '#tests/support/call'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { aMailbox, aUser } from '#tests/support/scenes/factories'
import { dispatchAt, FIRST, launched, MONDAY, minutes, SECOND, WATCHED } from '#tests/support/scenes/launched'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const DAY = 24 * 60
const lost = () => memoryMail(() => ({ outcome: 'unknown', error: 'connection lost' }))

/** A lead whose first step is uncertain. */
async function uncertain(fields: Record<string, unknown> = {}, leads = 1) {
  const made = await launched(fields, leads)
  const { outbox } = await dispatchAt(MONDAY, lost())
  const { owner, campaign_id } = made
  const state = async () => {
    const [campaign, lead, actions] = await Promise.all([
      db.campaign.findUniqueOrThrow({ where: { campaign_id } }),
      db.campaignLead.findFirstOrThrow({ where: { campaign_id }, orderBy: { lead_index: 'asc' } }),
      db.action.findMany({ where: { campaign_id }, orderBy: { step: 'asc' } }),
    ])
    return { campaign, lead, actions }
  }
  const { actions, lead } = await state()
  const action_id = actions[0]?.action_id ?? ''
  const resolve = (resolution: 'sent' | 'not_sent', at: Date) =>
    resolveUncertainAction(owner.workspace_id, campaign_id, action_id, resolution, at)
  const kinds = async (at: Date) =>
    (await leadTimeline(owner.workspace_id, campaign_id, lead.campaign_lead_id, at)).events.map(
      ({ kind }) => kind,
    )
  return { ...made, action_id, lead, state, resolve, kinds, first: outbox[0] }
}

test('it is listed with what is known', async () => {
  const { owner, mailbox, campaign_id, action_id, lead, first } = await uncertain()
  const { status, body } = await call(ListUncertainActions, { as: owner, params: { campaign_id } })
  expect(status).toBe(200)
  expect(body).toMatchObject({ total: 1, page: 1 })
  expect(body.items).toEqual([
    expect.objectContaining({
      action_id,
      lead_index: 0,
      email: lead.email,
      lead_status: 'active',
      step: 1,
      subject: 'Hello Lead0',
      offered_at: MONDAY.toISOString(),
      sender: mailbox.address,
      message_id: first?.message_id,
      response: 'connection lost',
      may_send_again: true,
      why_not: null,
    }),
  ])
  expect((await call(ListUncertainActions, { as: await aUser(), params: { campaign_id } })).status).toBe(404)
})

test('sent: it counts as sent, the lead goes on as it was, and nothing leaves twice', async () => {
  const { resolve, state, kinds } = await uncertain()
  const before = await state()
  expect(await resolve('sent', minutes(5))).toMatchObject({ status: 'sent', will_send_again: false })
  const after = await state()
  expect(after.campaign).toMatchObject({ sent_count: 1, uncertain_count: 0 })
  expect(after.lead).toEqual({ ...before.lead, last_event: 'sent', reason: null, reason_detail: null })
  expect((await dispatchAt(minutes(10))).offered).toBe(0)
  const { outbox } = await dispatchAt(minutes(DAY))
  expect(outbox.map((mail) => mail.subject)).toEqual(['Re: Hello Lead0'])
  expect(await kinds(minutes(DAY + 1))).toEqual([
    'enrolled',
    'launched',
    'sent',
    'resolved_sent',
    'sent',
    'completed',
  ])
})

test('not sent: the same action goes out once more, and the next step counts from then', async () => {
  const { resolve, state, action_id, first } = await uncertain()
  expect(await resolve('not_sent', minutes(60))).toEqual({
    action_id,
    status: 'retry',
    will_send_again: true,
    reason: null,
  })
  expect((await state()).campaign).toMatchObject({ sent_count: 0, uncertain_count: 0 })
  const { outbox } = await dispatchAt(minutes(61))
  expect(outbox.map((mail) => mail.message_id)).toEqual([first?.message_id])
  const { actions, lead, campaign } = await state()
  expect(actions).toHaveLength(1)
  expect(actions[0]).toMatchObject({ action_id, status: 'sent', attempts: 2 })
  expect(lead).toMatchObject({ current_step: 1, next_step: 2, next_action_at: minutes(61 + DAY) })
  expect(campaign).toMatchObject({ sent_count: 1, uncertain_count: 0 })
  expect((await dispatchAt(minutes(61 + DAY))).offered).toBe(1)
  expect((await state()).campaign).toMatchObject({ status: 'completed', sent_count: 2, processed_leads: 1 })
})

test('not sent after the last step reopens the lead and the campaign, and both complete again', async () => {
  const { resolve, state, kinds } = await uncertain({ steps_config: [FIRST] })
  expect((await state()).campaign).toMatchObject({
    status: 'completed',
    processed_leads: 1,
    uncertain_count: 1,
  })
  await resolve('not_sent', minutes(60))
  const open = await state()
  expect(open.campaign).toMatchObject({ status: 'draining', completed_at: null, processed_leads: 0 })
  expect(open.lead).toMatchObject({ status: 'active', current_step: 0, next_step: 1 })
  expect((await dispatchAt(minutes(61))).offered).toBe(1)
  expect((await state()).campaign).toMatchObject({
    status: 'completed',
    processed_leads: 1,
    sent_count: 1,
    completed_at: minutes(61),
  })
  expect(await kinds(minutes(62))).toEqual([
    'enrolled',
    'launched',
    'reopened',
    'resolved_not_sent',
    'sent',
    'completed',
  ])
})

test('not sent, and its mailbox removed since: it goes out from another', async () => {
  const { resolve, state, owner, mailbox } = await uncertain({ steps_config: [FIRST] })
  const other = await aMailbox(owner)
  await deleteMailbox(owner.workspace_id, mailbox.mailbox_id)
  await resolve('not_sent', minutes(60))
  const { outbox } = await dispatchAt(minutes(61))
  expect(outbox.map(({ from }) => from.address)).toEqual([other.address])
  expect((await state()).campaign).toMatchObject({ status: 'completed', sent_count: 1 })
})

test('not sent behind a later step that went out: it is closed, and no step is repeated', async () => {
  const { resolve, state, owner, campaign_id } = await uncertain({ steps_config: [FIRST, SECOND, SECOND] })
  expect((await dispatchAt(minutes(DAY))).offered).toBe(1)
  const { body } = await call(ListUncertainActions, { as: owner, params: { campaign_id } })
  expect(body.items[0]).toMatchObject({
    may_send_again: false,
    why_not: expect.stringContaining('later step'),
  })
  const before = await state()
  expect(await resolve('not_sent', minutes(DAY + 1))).toMatchObject({
    status: 'failed',
    will_send_again: false,
    reason: expect.stringContaining('later step'),
  })
  const after = await state()
  expect(after.lead).toEqual(before.lead)
  expect(after.campaign).toMatchObject({ sent_count: 1, uncertain_count: 0 })
  const { outbox } = await dispatchAt(minutes(2 * DAY))
  expect(outbox).toHaveLength(1)
  expect((await state()).actions.map((action) => [action.step, action.status])).toEqual([
    [1, 'failed'],
    [2, 'sent'],
    [3, 'sent'],
  ])
})

test('a later step that was skipped is decided anew after the one it was decided on', async () => {
  const { resolve, state } = await uncertain({
    steps_config: [WATCHED, { ...SECOND, condition: 'opened' }, SECOND],
  })
  await dispatchAt(minutes(DAY))
  expect((await state()).actions.map((action) => action.status)).toEqual(['uncertain', 'skipped'])
  await resolve('not_sent', minutes(DAY + 1))
  for (let at = DAY + 1; at < 5 * DAY; at += DAY) await dispatchAt(minutes(at))
  expect((await state()).actions.map((action) => [action.step, action.status])).toEqual([
    [1, 'sent'],
    [2, 'skipped'],
    [3, 'sent'],
  ])
  expect((await state()).campaign).toMatchObject({ status: 'completed', sent_count: 2 })
})

test('a later step that waits for another try follows in its turn', async () => {
  const { resolve, state } = await uncertain()
  const busy = { stage: 'rcpt', code: 450, enhanced: null, response: '450', blames: 'recipient' } as const
  await dispatchAt(
    minutes(DAY),
    memoryMail(() => ({ outcome: 'refused_for_now', ...busy })),
  )
  expect((await state()).actions.map((action) => action.status)).toEqual(['uncertain', 'retry'])
  await resolve('not_sent', minutes(DAY + 1))
  const { outbox } = await dispatchAt(minutes(DAY + 10))
  expect(outbox.map((mail) => mail.subject)).toEqual(['Hello Lead0'])
  expect((await dispatchAt(minutes(2 * DAY + 10))).outbox.map((mail) => mail.subject)).toEqual([
    'Re: Hello Lead0',
  ])
  expect((await state()).campaign).toMatchObject({ status: 'completed', sent_count: 2 })
})

test.each(['unsubscribed', 'replied', 'bounced'] as const)(
  'a lead that is %s gets nothing more',
  async (end) => {
    const { resolve, state, campaign_id } = await uncertain()
    await db.campaignLead.updateMany({
      where: { campaign_id },
      data: { status: end, next_step: null, next_action_at: null },
    })
    expect(await resolve('not_sent', minutes(5))).toMatchObject({ status: 'failed', will_send_again: false })
    expect((await state()).lead.status).toBe(end)
    expect((await dispatchAt(minutes(6))).offered).toBe(0)
  },
)

test('a suppressed address gets nothing more, even where its lead was completed', async () => {
  const { resolve, owner, lead, state } = await uncertain({ steps_config: [FIRST] })
  const entry = {
    workspace_id: owner.workspace_id,
    values: [lead.email ?? ''],
    reason: 'manual',
    status: 'unsubscribed' as const,
  }
  await suppress(pool(), entry, minutes(1))
  expect(await resolve('not_sent', minutes(5))).toMatchObject({ status: 'failed', will_send_again: false })
  expect((await state()).campaign.status).toBe('completed')
})

test('while the campaign is paused it waits for the resume', async () => {
  const { resolve, owner, campaign_id } = await uncertain()
  await pauseCampaign(owner.workspace_id, campaign_id, minutes(1))
  await resolve('not_sent', minutes(2))
  expect((await dispatchAt(minutes(3))).offered).toBe(0)
  await resumeCampaign(owner.workspace_id, campaign_id, minutes(4))
  expect((await dispatchAt(minutes(4))).offered).toBe(1)
})

test('of two resolutions at once one is refused, and no message leaves twice', async () => {
  for (const words of [
    ['not_sent', 'not_sent'],
    ['sent', 'not_sent'],
  ] as const) {
    const { resolve, state } = await uncertain({ steps_config: [FIRST] })
    const both = await Promise.allSettled(words.map((word) => resolve(word, minutes(5))))
    const won = both.filter((each) => each.status === 'fulfilled').map((each) => each.value)
    const refused = both.filter((each) => each.status === 'rejected').map((each) => each.reason.code)
    expect([won.length, refused]).toEqual([1, ['action_not_uncertain']])
    const { outbox } = await dispatchAt(minutes(6))
    expect(outbox).toHaveLength(won[0]?.will_send_again ? 1 : 0)
    expect((await state()).campaign).toMatchObject({ status: 'completed', sent_count: 1, uncertain_count: 0 })
    await db.campaign.deleteMany()
  }
})

test('a worker that speaks up after the owner did is not heard', async () => {
  const { resolve, state, action_id } = await uncertain()
  await resolve('sent', minutes(5))
  expect(await db.action.findUnique({ where: { action_id } })).toMatchObject({
    lease_owner: null,
    status: 'sent',
  })
  expect((await state()).campaign.uncertain_count).toBe(0)
})

test('404 for what is not the caller’s, 409 for what is not uncertain, and nothing changes', async () => {
  const { owner, campaign_id, action_id, state } = await uncertain()
  const body = { resolution: 'not_sent' }
  const other = await uncertain()
  const before = await state()
  const stranger = await call(ResolveUncertainAction, {
    as: await aUser(),
    params: { campaign_id, action_id },
    body,
  })
  expect(stranger.status).toBe(404)
  const mixed = await call(ResolveUncertainAction, {
    as: owner,
    params: { campaign_id, action_id: other.action_id },
    body,
  })
  expect([mixed.status, mixed.error.detail]).toEqual([404, 'action_not_found'])
  expect(await state()).toEqual(before)
  const foreign = await other.state()
  expect(foreign.actions[0]?.status).toBe('uncertain')
  const answer = { as: owner, params: { campaign_id, action_id }, body: { resolution: 'sent' } }
  expect((await call(ResolveUncertainAction, answer)).body.status).toBe('sent')
  const again = await call(ResolveUncertainAction, answer)
  expect([again.status, again.error.detail]).toEqual([409, 'action_not_uncertain'])
})

import { afterEach, expect, test } from 'vitest'
import { UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { ResumeCampaignLeads, StopCampaignLeads } from '#lib/contracts/leads/lead-stops'
import { AddSuppressions } from '#lib/contracts/leads/suppressions'
import { db, pool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import { createSandboxSocial } from '#lib/providers/social/sandbox'
import { updateCampaign } from '#lib/services/changes/update'
import { leadTimeline } from '#lib/services/forecast/lead-timelines'
import { onReplies } from '#lib/services/inbox/effects'
import { pauseCampaign, resumeCampaign } from '#lib/services/launch/lifecycle'
import { resumeLeads, stopLeads } from '#lib/services/leads/stops'
import { deleteMailbox } from '#lib/services/senders/mailboxes'
import { disconnectAccount } from '#lib/services/social/connected-accounts'
import { call } from '#tests/support/call'
import { ACCEPTED, memoryMail } from '#tests/support/doubles/memory-mail'
import { aMailbox, anAccount, aUser } from '#tests/support/scenes/factories'
import { dispatchAt, FIRST, launched, MONDAY, minutes, SECOND } from '#tests/support/scenes/launched'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const DAY = 24 * 60

/** A running campaign, with both operations on the leads at these indexes. */
async function running(fields: Record<string, unknown> = {}, leads = 3) {
  const made = await launched(fields, leads)
  const { owner, campaign_id } = made
  const all = () => db.campaignLead.findMany({ where: { campaign_id }, orderBy: { lead_index: 'asc' } })
  const idsOf = async (places: number[]) => {
    const rows = await all()
    return places.map((place) => rows[place]?.campaign_lead_id ?? '')
  }
  const stop = async (places: number[], at = MONDAY) =>
    stopLeads(owner.workspace_id, campaign_id, await idsOf(places), at)
  const takeBack = async (places: number[], at = MONDAY) =>
    resumeLeads(owner.workspace_id, campaign_id, await idsOf(places), at)
  const statuses = async () => (await all()).map(({ status }) => status)
  const campaign = () => db.campaign.findUniqueOrThrow({ where: { campaign_id } })
  return {
    ...made,
    all,
    idsOf,
    stop,
    takeBack,
    statuses,
    campaign,
  }
}

test('a stopped lead gets nothing more, and taken back it goes on where it stood', async () => {
  const { stop, takeBack, idsOf, all, statuses, owner, campaign_id } = await running()
  expect((await dispatchAt(MONDAY)).outbox).toHaveLength(3)
  const before = await all()
  expect(await stop([1, 2])).toEqual({ changed: await idsOf([1, 2]), unchanged: [] })
  expect(await statuses()).toEqual(['active', 'skipped', 'skipped'])
  expect(await takeBack([2, 0])).toEqual({
    changed: await idsOf([2]),
    unchanged: [{ campaign_lead_id: (await idsOf([0]))[0], reason: 'not_stopped' }],
  })
  const where = ({
    status,
    current_step,
    next_step,
    next_action_at,
    next_action_type,
    next_sender_id,
  }: (typeof before)[number]) => [
    status,
    current_step,
    next_step,
    next_action_at,
    next_action_type,
    next_sender_id,
  ]
  const after = await all()
  expect(after.slice(2).map(where)).toEqual(before.slice(2).map(where))
  const { outbox } = await dispatchAt(minutes(2 * DAY))
  expect(outbox.map(({ to }) => to.address)).toEqual([before[0]?.email, before[2]?.email])
  const { events } = await leadTimeline(
    owner.workspace_id,
    campaign_id,
    before[2]?.campaign_lead_id ?? '',
    minutes(2 * DAY),
  )
  const kinds = events.map(({ kind }) => kind).filter((kind) => kind === 'stopped' || kind === 'taken_back')
  expect(kinds).toEqual(['stopped', 'taken_back'])
})

test('leads whose mailbox was removed while they were stopped go on from another', async () => {
  const { stop, takeBack, owner, mailbox, campaign } = await running()
  await dispatchAt(MONDAY)
  await stop([0, 1, 2])
  const other = await aMailbox(owner)
  await deleteMailbox(owner.workspace_id, mailbox.mailbox_id)
  expect((await takeBack([0, 1, 2])).changed).toHaveLength(3)
  const { outbox } = await dispatchAt(minutes(2 * DAY))
  expect(outbox.map(({ from }) => from.address)).toEqual([other.address, other.address, other.address])
  expect(await campaign()).toMatchObject({ status: 'completed', sent_count: 6 })
})

test('a lead whose account was removed while it was stopped belongs to none', async () => {
  const { stop, takeBack, all, owner, mailbox } = await running({}, 1)
  await dispatchAt(MONDAY)
  const account = await anAccount(owner)
  const [lead] = await all()
  await db.campaignLead.update({
    where: { campaign_lead_id: lead?.campaign_lead_id ?? '' },
    data: { connected_account_id: account.account_id, social_provider_id: 'somebody' },
  })
  await stop([0])
  const network = createSandboxSocial({ pool: pool(), clock: () => MONDAY, app_url: 'http://opener.test' })
  await disconnectAccount(owner.workspace_id, account.account_id, network)
  await takeBack([0])
  expect((await all())[0]).toMatchObject({
    status: 'active',
    mailbox_id: mailbox.mailbox_id,
    connected_account_id: null,
    social_provider_id: null,
  })
})

test('a completed campaign whose account was deleted is paused once leads go on, and asks for another', async () => {
  const { stop, takeBack, owner, campaign_id, campaign } = await running({}, 1)
  await dispatchAt(MONDAY)
  await stop([0])
  expect(await campaign()).toMatchObject({ status: 'completed' })
  const account = await anAccount(owner)
  const { steps_config } = await campaign()
  const social = { step: 2, channel: 'social', action_type: 'message', delay_days: 1, condition: 'always' }
  await db.campaign.update({
    where: { campaign_id },
    data: {
      connected_account_id: account.account_id,
      steps_config: [(steps_config as object[])[0] ?? {}, { ...(steps_config as object[])[1], ...social }],
    },
  })
  const network = createSandboxSocial({ pool: pool(), clock: () => MONDAY, app_url: 'http://opener.test' })
  await disconnectAccount(owner.workspace_id, account.account_id, network)
  expect((await takeBack([0])).changed).toHaveLength(1)
  expect(await campaign()).toMatchObject({ status: 'paused', paused_reason: 'sender_disconnected' })
  const resumed = () => resumeCampaign(owner.workspace_id, campaign_id, MONDAY)
  await expect(resumed()).rejects.toMatchObject({ code: 'account_not_connected' })
  const other = await anAccount(owner)
  const fields = { connected_account_id: other.account_id } as Parameters<typeof updateCampaign>[2]
  await updateCampaign(owner.workspace_id, campaign_id, fields, MONDAY)
  await resumed()
  expect(await campaign()).toMatchObject({ status: 'draining' })
})

test('of a lead that is over, stopped already, or of elsewhere nothing changes, and it says why', async () => {
  const { stop, idsOf, owner, campaign_id } = await running()
  const elsewhere = await running()
  await stop([0])
  const foreign = (await elsewhere.idsOf([0]))[0] ?? ''
  const campaign_lead_ids = [...(await idsOf([0, 0])), foreign]
  const { body } = await call(StopCampaignLeads, {
    as: owner,
    params: { campaign_id },
    body: { campaign_lead_ids },
  })
  expect(body).toEqual({
    changed: [],
    unchanged: [
      { campaign_lead_id: campaign_lead_ids[0], reason: 'not_waiting' },
      { campaign_lead_id: foreign, reason: 'not_found' },
    ],
  })
  expect(await elsewhere.statuses()).toEqual(['pending', 'pending', 'pending'])
  const back = await call(ResumeCampaignLeads, {
    as: owner,
    params: { campaign_id },
    body: { campaign_lead_ids },
  })
  expect(back.body).toEqual({
    changed: campaign_lead_ids.slice(0, 1),
    unchanged: [{ campaign_lead_id: foreign, reason: 'not_found' }],
  })
})

test('another’s campaign is not found, and too many or no leads are refused', async () => {
  const { owner, idsOf, campaign_id, statuses } = await running()
  const params = { campaign_id }
  const ask = (as: typeof owner, campaign_lead_ids: string[]) =>
    call(StopCampaignLeads, { as, params, body: { campaign_lead_ids } })
  expect((await ask(await aUser(), await idsOf([0]))).status).toBe(404)
  expect((await ask(owner, [])).status).toBe(422)
  expect(
    (
      await ask(
        owner,
        Array.from({ length: 1_001 }, () => crypto.randomUUID()),
      )
    ).status,
  ).toBe(422)
  expect(await statuses()).toEqual(['pending', 'pending', 'pending'])
})

test('a campaign with nobody left is completed, and goes on when its leads are taken back', async () => {
  const { stop, takeBack, campaign, statuses } = await running()
  await stop([0, 1, 2])
  expect(await campaign()).toMatchObject({ status: 'completed', processed_leads: 3 })
  expect((await takeBack([0, 1])).changed).toHaveLength(2)
  expect(await campaign()).toMatchObject({ status: 'active', processed_leads: 1, completed_at: null })
  expect(await statuses()).toEqual(['pending', 'pending', 'skipped'])
  expect((await dispatchAt(minutes(1))).outbox).toHaveLength(2)
})

test('a campaign that drains is active again once a new lead is taken back, also where it is paused', async () => {
  const { stop, takeBack, campaign, owner, campaign_id } = await running()
  await stop([2])
  await dispatchAt(MONDAY)
  expect((await campaign()).status).toBe('draining')
  await pauseCampaign(owner.workspace_id, campaign_id, minutes(1))
  await takeBack([2])
  expect(await campaign()).toMatchObject({ status: 'paused', paused_from: 'active', next_slot_at: null })
})

test('who answers while stopped has answered, and is not written to again', async () => {
  const { stop, takeBack, all, statuses } = await running()
  await dispatchAt(MONDAY)
  await stop([0])
  const [lead] = await all()
  if (!lead) throw new Error('There is no lead.')
  const context = {
    inbound_message_id: crypto.randomUUID(),
    received_at: MONDAY,
    from: '',
    subject: '',
    how: '',
    intent: null,
  }
  await inTransaction(pool(), (client) =>
    onReplies(client, [{ lead: { ...lead, step: 1, channel: 'email' } as never, context }], minutes(5)),
  )
  expect(await statuses()).toEqual(['replied', 'active', 'active'])
  expect((await takeBack([0])).unchanged).toMatchObject([{ reason: 'not_stopped' }])
})

test('who was suppressed, or whose campaign got other steps, stays stopped', async () => {
  const { stop, takeBack, all, owner, campaign_id } = await running()
  await stop([0, 1])
  const [first] = await all()
  await call(AddSuppressions, { as: owner, body: { value: first?.email ?? '' } })
  expect((await takeBack([0])).unchanged).toMatchObject([{ reason: 'suppressed' }])
  await pauseCampaign(owner.workspace_id, campaign_id, minutes(1))
  await updateCampaign(owner.workspace_id, campaign_id, { daily_limit: 900 }, minutes(2))
  const steps = UpdateCampaign.body.parse({ steps_config: [FIRST, { ...SECOND, delay_days: 4 }] })
  expect((await takeBack([1])).changed).toHaveLength(1)
  await stop([1])
  await updateCampaign(owner.workspace_id, campaign_id, steps, minutes(3))
  expect((await takeBack([1])).unchanged).toMatchObject([{ reason: 'edited' }])
})

test('what was on its way when it was stopped counts, and is never repeated', async () => {
  const { stop, takeBack, all, statuses } = await running({}, 1)
  const underWay = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const mail = memoryMail(async () => {
    underWay.resolve()
    await gate.promise
    return ACCEPTED
  })
  const sending = dispatchAt(MONDAY, mail)
  await underWay.promise
  expect((await stop([0])).changed).toHaveLength(1)
  expect((await takeBack([0])).unchanged).toMatchObject([{ reason: 'under_way' }])
  gate.resolve()
  await sending
  expect(await statuses()).toEqual(['skipped'])
  expect((await takeBack([0])).changed).toHaveLength(1)
  expect((await all())[0]).toMatchObject({
    status: 'active',
    current_step: 1,
    next_step: 2,
    next_action_at: minutes(DAY),
  })
  const { outbox } = await dispatchAt(minutes(DAY))
  expect(outbox.map(({ text }) => text)).toEqual([expect.stringContaining('Did you see my mail')])
})

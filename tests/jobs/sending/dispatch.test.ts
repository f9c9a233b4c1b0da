import { afterEach, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import type { MailOutcome, OutgoingMail } from '#lib/providers/mail/port'
import { activateCampaign, enrolLeads } from '#lib/services/launch/enrolment'
import { launchCampaign } from '#lib/services/launch/lifecycle'
import { suppress } from '#lib/services/leads/endings'
import { renewLeases } from '#lib/services/sending/leases'
import { dispatchDue } from '#lib/services/sending/run'
import { ACCEPTED, memoryMail } from '#tests/support/doubles/memory-mail'
import { aCampaign, aDataset, aMailbox, aUser } from '#tests/support/scenes/factories'
import { actionsOf, campaignOf, leadsOf } from '#tests/support/scenes/launched'

const MONDAY = new Date('2026-03-02T10:00:00.000Z')
const minutes = (count: number) => new Date(MONDAY.getTime() + count * 60_000)
const open = {
  sending_window_start: '00:00',
  sending_window_end: '00:00',
  min_interval_seconds: 0,
  daily_limit: 1_000,
}
const step = { subject: 'Hello {{ first_name }}', message_template: 'A word about {{ company }}.' }
const followUp = { delay_days: 1, message_template: 'Did you see my mail, {{ first_name }}?' }

async function launched(fields: Record<string, unknown> = {}, leads = 3) {
  const owner = await aUser()
  const mailbox = await aMailbox(owner)
  const { dataset_id } = await aDataset(owner, leads)
  const campaign = await aCampaign(owner, { ...open, dataset_id, steps_config: [step, followUp], ...fields })
  await launchCampaign(owner.workspace_id, campaign.campaign_id, null, MONDAY)
  await enrolLeads(campaign.campaign_id, MONDAY)
  await activateCampaign(campaign.campaign_id, MONDAY)
  return { owner, mailbox, campaign_id: campaign.campaign_id }
}

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const dispatch = (at: Date, mail = memoryMail()) =>
  dispatchDue({ mail: mail.provider, clock: () => at }).then((result) => ({ ...result, outbox: mail.outbox }))

test('every lead gets both steps once, in a thread, and the campaign completes', async () => {
  const { campaign_id } = await launched()
  const first = await dispatch(MONDAY)
  expect(first.outbox.map((mail) => mail.subject)).toEqual(['Hello Lead0', 'Hello Lead1', 'Hello Lead2'])
  expect(await campaignOf(campaign_id)).toMatchObject({ status: 'draining', sent_count: 3, total_leads: 3 })
  expect((await dispatch(minutes(60))).offered).toBe(0)

  const second = await dispatch(minutes(24 * 60))
  expect(second.outbox.map((mail) => mail.subject)).toEqual([
    'Re: Hello Lead0',
    'Re: Hello Lead1',
    'Re: Hello Lead2',
  ])
  expect(second.outbox.map((mail) => mail.in_reply_to)).toEqual(first.outbox.map((mail) => mail.message_id))
  expect(await campaignOf(campaign_id)).toMatchObject({
    status: 'completed',
    processed_leads: 3,
    sent_count: 6,
    next_slot_at: null,
  })
  expect((await leadsOf(campaign_id)).map((lead) => [lead.status, lead.current_step])).toEqual(
    Array(3).fill(['completed', 2]),
  )
})

test('the ledger row stands before the provider is called', async () => {
  const { campaign_id } = await launched({ steps_config: [step] }, 1)
  const seen: (string | undefined)[] = []
  const mail = memoryMail(async () => {
    seen.push((await actionsOf(campaign_id))[0]?.status)
    return ACCEPTED
  })
  await dispatch(MONDAY, mail)
  expect(seen).toEqual(['sending'])
})

test('a daily limit is kept, and the next slot is the next window day', async () => {
  const { campaign_id } = await launched({ daily_limit: 2, steps_config: [step] }, 5)
  expect((await dispatch(MONDAY)).offered).toBe(2)
  expect((await dispatch(minutes(30))).offered).toBe(0)
  expect((await campaignOf(campaign_id)).next_slot_at).toEqual(new Date('2026-03-03T00:00:00.000Z'))
})

test('an interval spaces the slots', async () => {
  await launched({ min_interval_seconds: 600, steps_config: [step] }, 3)
  expect((await dispatch(MONDAY)).offered).toBe(1)
  expect((await dispatch(minutes(9))).offered).toBe(0)
  expect((await dispatch(minutes(13))).offered).toBe(1)
})

const refusal = { stage: 'rcpt' as const, code: 550, enhanced: '5.1.1', response: '550 5.1.1 No such user' }

test.each<[string, MailOutcome, object, object]>([
  [
    'refused for good: bounced and suppressed',
    { outcome: 'refused_for_good', ...refusal, blames: 'recipient' },
    { status: 'failed', outcome: 'refused_for_good' },
    { status: 'bounced', next_step: null },
  ],
  [
    'refused for good, but not for the address: failed',
    { outcome: 'refused_for_good', ...refusal, blames: 'sender' },
    { status: 'failed' },
    { status: 'failed' },
  ],
  [
    'refused for now: waits for another try of the same step',
    { outcome: 'refused_for_now', ...refusal, blames: 'recipient' },
    { status: 'retry', attempts: 1 },
    { status: 'active', next_step: 1, next_action_at: minutes(5) },
  ],
  [
    'never left: keeps its place, and it was no try',
    { outcome: 'never_left', reason: 'connect', error: 'ECONNREFUSED' },
    { status: 'retry', attempts: 0 },
    { status: 'active', next_step: 1, next_action_at: MONDAY },
  ],
  [
    'unknown: uncertain, counted, and the lead goes on',
    { outcome: 'unknown', error: 'connection lost' },
    { status: 'uncertain' },
    { status: 'active', next_step: 2, next_action_at: minutes(24 * 60) },
  ],
])('%s', async (_, outcome, action, lead) => {
  const { campaign_id, owner } = await launched({}, 1)
  await dispatch(
    MONDAY,
    memoryMail(() => outcome),
  )
  expect((await actionsOf(campaign_id))[0]).toMatchObject({ ...action, lease_until: null })
  expect((await leadsOf(campaign_id))[0]).toMatchObject(lead)
  const suppressions = await db.suppression.count({ where: { workspace_id: owner.workspace_id } })
  expect(suppressions).toBe(outcome.outcome === 'refused_for_good' && outcome.blames === 'recipient' ? 1 : 0)
})

test('five refusals for now are the end, always with the same Message-ID', async () => {
  const { campaign_id } = await launched({ steps_config: [step] }, 1)
  const mail = memoryMail(() => ({ outcome: 'refused_for_now', ...refusal, blames: 'recipient' }))
  for (const at of [0, 5, 20, 80, 320, 1_000]) await dispatch(minutes(at), mail)
  const [lead] = await leadsOf(campaign_id)
  const offers = mail.outbox.filter((message) => message.to.address === lead?.email)
  expect(offers).toHaveLength(5)
  expect(new Set(offers.map((message) => message.message_id)).size).toBe(1)
  expect(lead?.status).toBe('failed')
  expect((await campaignOf(campaign_id)).status).toBe('completed')
})

test('what did not leave is not counted against the day', async () => {
  await launched({ daily_limit: 1, steps_config: [step] }, 2)
  await dispatch(
    MONDAY,
    memoryMail(() => ({ outcome: 'never_left', reason: 'connect', error: 'down' })),
  )
  const again = await dispatch(minutes(3))
  expect(again.offered).toBe(1)
})

test('a lease that ran out leaves the action uncertain, and it is never offered again', async () => {
  const { campaign_id } = await launched({ steps_config: [step] }, 1)
  const never = memoryMail(() => new Promise<MailOutcome>(() => undefined))
  void dispatch(MONDAY, never)
  await expect.poll(() => never.outbox.length).toBe(1)
  const later = await dispatch(minutes(10))
  expect(later).toMatchObject({ offered: 0, expired: 1 })
  expect((await actionsOf(campaign_id))[0]?.status).toBe('uncertain')
  expect(await campaignOf(campaign_id)).toMatchObject({ status: 'completed', uncertain_count: 1 })
})

test('a lease is renewed once it nears its end, and only its worker’s', async () => {
  const { campaign_id } = await launched({ steps_config: [step] }, 2)
  const never = memoryMail(() => new Promise<MailOutcome>(() => undefined))
  for (const [index, worker] of ['one', 'other'].entries()) {
    void dispatchDue({ mail: never.provider, clock: () => MONDAY, worker, capacity: 1 })
    await expect.poll(() => never.outbox.length).toBe(index + 1)
  }
  const seconds = (count: number) => new Date(MONDAY.getTime() + count * 1_000)
  const leases = async () =>
    new Map((await actionsOf(campaign_id)).map(({ lease_owner, lease_until }) => [lease_owner, lease_until]))
  await renewLeases(pool(), 'one', seconds(5))
  expect(await leases()).toEqual(
    new Map([
      ['one', seconds(30)],
      ['other', seconds(30)],
    ]),
  )
  await renewLeases(pool(), 'one', seconds(10))
  expect((await leases()).get('one')).toEqual(seconds(40))
  expect((await leases()).get('other')).toEqual(seconds(30))
  expect(await dispatch(seconds(31))).toMatchObject({ expired: 1 })
})

test('several workers at once never claim the same action', async () => {
  const { campaign_id } = await launched({ steps_config: [step] }, 60)
  const mail = memoryMail()
  const workers = Array.from({ length: 4 }, () =>
    dispatchDue({ mail: mail.provider, clock: () => MONDAY, capacity: 7 }),
  )
  await Promise.all(workers)
  expect(mail.outbox).toHaveLength(60)
  expect(new Set(mail.outbox.map((message) => message.to.address)).size).toBe(60)
  expect((await campaignOf(campaign_id)).status).toBe('completed')
})

test('a paused campaign sends nothing', async () => {
  const { campaign_id } = await launched()
  await db.campaign.update({
    where: { campaign_id },
    data: { status: 'paused', paused_from: 'active', next_slot_at: null },
  })
  expect((await dispatch(MONDAY)).offered).toBe(0)
})

test('an address suppressed after the launch gets nothing', async () => {
  const { campaign_id, owner } = await launched({ steps_config: [step] }, 2)
  const [lead] = await leadsOf(campaign_id)
  const entry = {
    workspace_id: owner.workspace_id,
    values: [lead?.email ?? ''],
    reason: 'manual',
    status: 'unsubscribed' as const,
  }
  expect(await suppress(pool(), entry, MONDAY)).toEqual({ added: 1, ended: 1 })
  const { outbox } = await dispatch(MONDAY)
  expect(outbox.map((mail: OutgoingMail) => mail.to.address)).not.toContain(lead?.email)
  expect(outbox).toHaveLength(1)
})

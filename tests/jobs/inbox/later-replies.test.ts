import { afterEach, describe, expect, test } from 'vitest'
import { UpdateInboxThread } from '#lib/contracts/inbox/inbox'
import { db } from '#lib/db/client'
import { followCorrection } from '#lib/services/inbox/intent/corrections'
import { holdLead } from '#lib/services/leads/holds'
import { waitsFor } from '#lib/services/leads/waits-for'
import { call } from '#tests/support/call'
import { awayNotice, replyTo } from '#tests/support/scenes/arrivals'
import { begun, campaignOf, later, launchedOver, leadTo, logOf } from '#tests/support/scenes/begun'
import { dispatchAt, FIRST, minutes } from '#tests/support/scenes/launched'

/** When the second step is due for every lead that got the first. */
const DAY = minutes(24 * 60 + 5)
const ASKS = 'Not right now. Please try again on 11 March 2026.'
/** 09:00 on the day that they ask for. */
const BACK = new Date('2026-03-11T09:00:00.000Z')

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const recipients = async (at: Date) => (await dispatchAt(at)).outbox.map(({ to }) => to.address)
const absenceOf = (workspace_id: string) => db.absence.findFirst({ where: { workspace_id } })
const threadOf = (campaign_lead_id: string) => db.thread.findFirstOrThrow({ where: { campaign_lead_id } })

/** One of two leads asks to be written to later. */
async function asked(text = ASKS, fields = {}) {
  const made = await begun(fields)
  expect(await made.in(replyTo(made.mail, text))).toMatchObject({ kind: 'reply' })
  const lead = () => leadTo(made.mail)
  return { ...made, address: made.mail.to.address, lead }
}

describe('a reply that asks to be written to from a day on', () => {
  test('holds the person until its morning, and then the next step follows', async () => {
    const { owner, address, campaign_id, lead } = await asked()
    expect(await absenceOf(owner.workspace_id)).toMatchObject({
      email: address,
      until: BACK,
      said: 'Please try again on 11 March 2026',
    })
    expect(await recipients(DAY)).not.toContain(address)
    const held = await lead()
    expect(held).toMatchObject({ status: 'active', next_step: 2, next_action_at: BACK })
    expect(await logOf(held.campaign_lead_id)).toEqual(['replied', 'put_off'])
    const waits = await waitsFor(owner.workspace_id, [held], DAY)
    expect(waits.get(held.campaign_lead_id)).toMatchObject({
      why: 'asked_later',
      not_before: BACK.toISOString(),
    })
    expect(await campaignOf(campaign_id)).toMatchObject({ replied_count: 0 })
    expect(await recipients(new Date(BACK.getTime() - 1))).toEqual([])
    expect(await recipients(BACK)).toEqual([address])
  })

  test.each([
    ['an earlier one leaves the day as it is', '4 March 2026', BACK],
    ['a later one moves it', '13 March 2026', new Date('2026-03-16T09:00:00.000Z')],
  ])('and of whose absence a program tells: %s', async (_, day, until) => {
    const { owner, mail, address, in: arrives } = await asked()
    await arrives(awayNotice(mail, `I am on vacation until ${day}.`, later), minutes(45))
    expect(await absenceOf(owner.workspace_id)).toMatchObject({ until })
    expect(await recipients(new Date(until.getTime() - 1))).not.toContain(address)
    expect(await recipients(until)).toContain(address)
  })

  test('is told as any reply, with what it wants', async () => {
    const { lead, owner } = await asked()
    const { campaign_lead_id } = await lead()
    const [told] = await db.campaignEvent.findMany({ where: { campaign_lead_id, kind: 'replied' } })
    expect(told?.detail).toMatchObject({ intent: 'later', held_until: BACK.toISOString() })
    const { workspace_id } = owner
    expect(await db.notification.count({ where: { workspace_id, kind: 'reply' } })).toBe(1)
  })

  test('holds in every other campaign too', async () => {
    const made = await asked()
    await launchedOver(made, made.dataset_id, {})
    expect(await recipients(later)).not.toContain(made.address)
    expect((await recipients(BACK)).filter((address) => address === made.address)).not.toEqual([])
  })

  test('and is read as something else, ends the lead though a program moved the day', async () => {
    const { owner, mail, lead, in: arrives } = await asked()
    await arrives(awayNotice(mail, 'I am on vacation until 13 March 2026.', later), minutes(45))
    const { campaign_lead_id } = await lead()
    const { thread_id } = await threadOf(campaign_lead_id)
    const body = { intent: 'not_interested' } as const
    await call(UpdateInboxThread, { as: owner, params: { thread_id }, body })
    await followCorrection(owner.workspace_id, thread_id, minutes(50))
    expect(await lead()).toMatchObject({ status: 'replied', next_action_at: null })
  })

  test('set by a member is not cut short by a program either', async () => {
    const { owner, mail, campaign_id, in: arrives } = await begun()
    const { campaign_lead_id: leadId } = await leadTo(mail)
    await holdLead({ workspaceId: owner.workspace_id, campaignId: campaign_id, leadId }, BACK, later)
    await arrives(awayNotice(mail, 'I am on vacation until 4 March 2026.', later), minutes(45))
    expect(await absenceOf(owner.workspace_id)).toMatchObject({ until: BACK, said: null })
    expect(await recipients(new Date(BACK.getTime() - 1))).not.toContain(mail.to.address)
  })

  test('taken in twice does what it does once, and another reply ends the lead', async () => {
    const { mail, lead, in: arrives } = await asked()
    const raw = replyTo(mail, ASKS)
    await arrives(raw)
    expect(await arrives(raw)).toBeNull()
    expect(await lead()).toMatchObject({ status: 'active' })
    await arrives(replyTo(mail, 'We are not interested after all.'))
    expect(await lead()).toMatchObject({ status: 'replied' })
    expect(await recipients(BACK)).not.toContain(mail.to.address)
  })
})

describe('it ends the lead', () => {
  test.each([
    ['without a day', 'Not right now.'],
    ['of a day that is over', 'Not right now, please try again on 2 March 2026.'],
    ['that is no later', 'Not interested.'],
  ])('%s', async (_, text) => {
    const { owner, lead } = await asked(text)
    expect(await lead()).toMatchObject({ status: 'replied' })
    expect(await absenceOf(owner.workspace_id)).toBeNull()
  })

  test('where nothing is to come', async () => {
    const { lead } = await asked(ASKS, { steps_config: [FIRST] })
    expect(await lead()).toMatchObject({ status: 'replied' })
  })

  test('where the workspace would rather', async () => {
    const made = await begun()
    const { workspace_id } = made.owner
    await db.intentRule.create({ data: { workspace_id, intent: 'later', does: 'end' } })
    await made.in(replyTo(made.mail, ASKS))
    expect(await leadTo(made.mail)).toMatchObject({ status: 'replied' })
    expect(await absenceOf(workspace_id)).toBeNull()
  })
})

describe('corrected', () => {
  const correct = async (made: Awaited<ReturnType<typeof asked>>, body: object) => {
    const { thread_id } = await threadOf((await made.lead()).campaign_lead_id)
    const { workspace_id } = made.owner
    expect((await call(UpdateInboxThread, { as: made.owner, params: { thread_id }, body })).status).toBe(200)
    // At the time of the test's world.
    await followCorrection(workspace_id, thread_id, minutes(60))
  }

  test('to another day holds until then, and to another intent ends the lead', async () => {
    const made = await asked()
    const { thread_id } = await threadOf((await made.lead()).campaign_lead_id)
    const message = await db.inboxMessage.findFirstOrThrow({ where: { thread_id } })
    const { inbox_message_id } = message
    const intent_until = new Date('2026-03-16')
    await db.inboxMessage.update({ where: { inbox_message_id }, data: { intent_until } })
    await followCorrection(made.owner.workspace_id, thread_id, minutes(60))
    expect(await absenceOf(made.owner.workspace_id)).toMatchObject({
      until: new Date('2026-03-16T09:00:00.000Z'),
    })
    await db.inboxMessage.update({
      where: { inbox_message_id },
      data: { intent: 'meeting', intent_until: null },
    })
    await followCorrection(made.owner.workspace_id, thread_id, minutes(61))
    expect(await made.lead()).toMatchObject({ status: 'replied' })
    expect(await absenceOf(made.owner.workspace_id)).toBeNull()
    expect(await recipients(BACK)).not.toContain(made.address)
  })

  test('a lead that has ended stays ended', async () => {
    const made = await asked('Not interested.')
    await correct(made, { intent: 'later', intent_until: '2026-03-16' })
    expect(await made.lead()).toMatchObject({ status: 'replied' })
    expect(await absenceOf(made.owner.workspace_id)).toBeNull()
  })
})

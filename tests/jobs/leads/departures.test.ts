import { afterEach, describe, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { awayNotice, replyTo } from '#tests/support/scenes/arrivals'
import { begun, campaignOf, later, launchedOver, leadTo, logOf } from '#tests/support/scenes/begun'
import { dispatchAt, minutes } from '#tests/support/scenes/launched'

/** When the second step is due for every lead that got the first. */
const DAY = minutes(24 * 60 + 5)
const LEFT = 'I no longer work at Brightwater. Please contact Jane Doe <jane@lead.test>.'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const recipients = async (at: Date) => (await dispatchAt(at)).outbox.map(({ to }) => to.address)

/** Two leads got their first mail; an auto-reply of one says that she has left the company. */
async function left(text = LEFT) {
  const made = await begun({}, 2)
  const arrives = () => made.in(awayNotice(made.mail, text, later))
  return { ...made, address: made.mail.to.address, arrives }
}

describe('an automatic answer that its person has left', () => {
  test('ends their steps, offers whom it names and writes to nobody, and is no reply', async () => {
    const { owner, campaign_id, mail, address, arrives } = await left()
    expect(await arrives()).toMatchObject({ kind: 'automatic_reply' })
    const lead = await leadTo(mail)
    expect(lead).toMatchObject({ status: 'skipped', reason: 'has_left', next_action_at: null })
    expect(await logOf(lead.campaign_lead_id)).toEqual(['has_left', 'automatic_reply'])
    const thread = await db.thread.findFirstOrThrow({ where: { workspace_id: owner.workspace_id } })
    expect(thread).toMatchObject({ intent: 'referral' })
    const said = await db.inboxMessage.findFirstOrThrow({
      where: { inbox_message_id: thread.intent_message_id ?? '' },
    })
    expect(said).toMatchObject({
      intent_by: 'rules',
      intent_evidence: 'I no longer work at Brightwater',
      referral_name: 'Jane Doe',
      referral_email: 'jane@lead.test',
    })
    expect(await campaignOf(campaign_id)).toMatchObject({ replied_count: 0, bounced_count: 0 })
    const mailed = await recipients(DAY)
    expect(mailed).toHaveLength(1)
    expect(mailed).not.toContain(address)
    expect(await db.absence.count({ where: { until: { gt: later } } })).toBe(0)
    expect(await db.campaignLead.count({ where: { email: 'jane@lead.test' } })).toBe(0)
  })

  test.each([
    ['everywhere', 'skipped'],
    ['campaign', 'pending'],
  ] as const)(
    'ends them in other campaigns as the policy ends who replied: %s',
    async (after_reply, status) => {
      const made = await left('I have left the company.')
      const { workspace_id } = made.owner
      await db.workspace.update({ where: { workspace_id }, data: { after_reply } })
      const other = await launchedOver(made, made.dataset_id, {})
      await made.arrives()
      const leads = await db.campaignLead.findMany({ where: { campaign_id: other.campaign_id } })
      const find = (email: string) => leads.find((lead) => lead.email === email)
      expect(find(made.address)).toMatchObject({ status })
      expect(leads.filter((lead) => lead.status === 'skipped')).toHaveLength(status === 'skipped' ? 1 : 0)
    },
  )

  test('follows the rule of its intent: held so many days, the next step comes after them', async () => {
    const { owner, mail, address, arrives } = await left('I have left the company.')
    const { workspace_id } = owner
    await db.intentRule.create({
      data: { workspace_id, intent: 'wrong_person', does: 'hold', hold_days: 7 },
    })
    await arrives()
    expect(await leadTo(mail)).toMatchObject({ status: 'active' })
    expect(await db.absence.findFirst({ where: { workspace_id } })).toMatchObject({
      email: address,
      said: 'I have left the company',
    })
    expect(await recipients(DAY)).not.toContain(address)
  })

  test('from another mailbox says nothing of the lead', async () => {
    const { owner, mail, made } = await left().then((made) => ({ ...made, made }))
    const notice = awayNotice(mail, LEFT, later).replace(/^From: .*$/m, 'From: Bob <bob@lead.test>')
    expect(await made.in(notice)).toMatchObject({ kind: 'automatic_reply' })
    expect(await leadTo(mail)).toMatchObject({ status: 'active' })
    expect(await db.thread.findFirst({ where: { workspace_id: owner.workspace_id } })).toMatchObject({
      intent: null,
    })
  })

  test('taken in twice does what it does once, and a reply of the person still counts', async () => {
    const { owner, mail, arrives, in: arrive } = await left()
    await arrives()
    await arrives()
    const { campaign_lead_id } = await leadTo(mail)
    const log = await logOf(campaign_lead_id)
    expect(log.filter((kind) => kind === 'has_left')).toHaveLength(1)
    await arrive(replyTo(mail, 'I am interested, please send me more.'))
    expect(await db.thread.findFirst({ where: { workspace_id: owner.workspace_id } })).toMatchObject({
      intent: 'interested',
    })
  })
})

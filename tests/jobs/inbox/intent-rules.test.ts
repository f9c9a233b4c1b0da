import { afterEach, describe, expect, test } from 'vitest'
import { chores } from '#inngest/functions/do-chores'
import { UpdateInboxThread } from '#lib/contracts/inbox/inbox'
import { db } from '#lib/db/client'
import { leadTimeline } from '#lib/services/forecast/lead-timelines'
import { branchRound } from '#lib/services/inbox/intent/branches'
import { followCorrection } from '#lib/services/inbox/intent/corrections'
import { activateCampaign, enrolLeads } from '#lib/services/launch/enrolment'
import { launchCampaign } from '#lib/services/launch/lifecycle'
import { call } from '#tests/support/call'
import { replyTo } from '#tests/support/scenes/arrivals'
import { begun, later, launchedOver, leadTo, logOf } from '#tests/support/scenes/begun'
import { aCampaign, aDataset } from '#tests/support/scenes/factories'
import { dispatchAt, FIRST, minutes, OPEN } from '#tests/support/scenes/launched'
import { aMember } from '#tests/support/scenes/team'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const INTERESTED = 'Sounds interesting, tell me more.'
const WRONG = 'I am not the right person for this.'
const DAY = minutes(24 * 60 + 5)

type Made = Awaited<ReturnType<typeof begun>>
type Rule = Parameters<typeof db.intentRule.create>[0]['data']

const ruled = (made: Made, rule: Omit<Rule, 'workspace_id'>) =>
  db.intentRule.create({ data: { ...rule, workspace_id: made.owner.workspace_id } as Rule })
const recipients = async (at: Date) => (await dispatchAt(at)).outbox.map(({ to }) => to.address)
const leadIn = (campaign_id: string, email: string) =>
  db.campaignLead.findFirst({ where: { campaign_id, email } })
const branchOf = (campaign_id: string) => db.leadBranch.findFirst({ where: { campaign_id } })

/** Another running campaign of the owner, over another person's row. */
async function nurture(made: Made, fields = {}) {
  const { dataset_id } = await aDataset(made.owner, [{ email: 'somebody@else.test' }])
  return launchedOver(made, dataset_id, fields)
}

async function branching(text = INTERESTED) {
  const made = await begun()
  const other = await nurture(made)
  await ruled(made, { intent: 'interested', does: 'branch', branch_campaign_id: other.campaign_id })
  await made.in(replyTo(made.mail, text))
  return { ...made, into: other.campaign_id, address: made.mail.to.address }
}

describe('a rule of an intent', () => {
  test('holds the person for its days, and then the next step follows', async () => {
    const made = await begun()
    await ruled(made, { intent: 'wrong_person', does: 'hold', hold_days: 7 })
    await made.in(replyTo(made.mail, WRONG))
    expect(await leadTo(made.mail)).toMatchObject({ status: 'active' })
    const { address } = made.mail.to
    expect(await recipients(DAY)).not.toContain(address)
    expect(await recipients(new Date('2026-03-09T08:59:59.000Z'))).not.toContain(address)
    expect(await recipients(new Date('2026-03-09T09:00:00.000Z'))).toEqual([address])
  })

  test('of the campaign stands over that of the workspace', async () => {
    const made = await begun()
    await ruled(made, { intent: 'wrong_person', does: 'hold', hold_days: 7 })
    await ruled(made, { intent: 'wrong_person', does: 'end', campaign_id: made.campaign_id })
    await made.in(replyTo(made.mail, WRONG))
    expect(await leadTo(made.mail)).toMatchObject({ status: 'replied' })
  })

  test.each([
    ['a wish to hear no more', 'Please remove me from your list.'],
    ['a reply whose words do not say', 'Who are you?'],
  ])('loosens nothing for %s', async (_, text) => {
    const made = await begun()
    for (const intent of [
      'interested',
      'meeting',
      'later',
      'referral',
      'wrong_person',
      'not_interested',
    ] as const)
      await ruled(made, { intent, does: 'hold', hold_days: 1 })
    await made.in(replyTo(made.mail, text))
    expect(['replied', 'unsubscribed']).toContain((await leadTo(made.mail)).status)
    expect(await recipients(new Date('2026-03-30T12:00:00.000Z'))).not.toContain(made.mail.to.address)
  })

  test('assigns, labels and notifies, once for a message', async () => {
    const made = await begun()
    const [seller, viewer] = [await aMember(made.owner, 'member'), await aMember(made.owner, 'viewer')]
    const notify_ids = [viewer.user_id]
    await ruled(made, {
      intent: 'interested',
      does: 'end',
      assignee_id: seller.user_id,
      label: 'Hot',
      notify_ids,
    })
    await made.in(replyTo(made.mail, INTERESTED))
    const { campaign_lead_id } = await leadTo(made.mail)
    const thread = await db.thread.findFirstOrThrow({ where: { campaign_lead_id } })
    expect(thread).toMatchObject({ assignee_id: seller.user_id, labels: ['Hot'] })
    await followCorrection(made.owner.workspace_id, thread.thread_id, later)
    const { workspace_id } = made.owner
    const told = await db.notification.findMany({
      where: { workspace_id, kind: { in: ['assigned', 'reply_intent'] } },
    })
    expect(told.map(({ kind, user_id }) => [kind, user_id]).toSorted()).toEqual(
      [
        ['assigned', seller.user_id],
        ['reply_intent', viewer.user_id],
      ].toSorted(),
    )
  })
})

/** Writes to the table fail until it is repaired. */
async function cutOff(table: string) {
  await db.$executeRawUnsafe(
    `CREATE FUNCTION cut_off() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'cut off'; END $$`,
  )
  await db.$executeRawUnsafe(
    `CREATE TRIGGER cut_off BEFORE INSERT OR UPDATE ON "${table}" FOR EACH STATEMENT EXECUTE FUNCTION cut_off()`,
  )
  return () => db.$executeRawUnsafe('DROP FUNCTION cut_off() CASCADE')
}

describe('a branch', () => {
  test('ends the lead and adds its person to the other campaign, once, with the reason in both timelines', async () => {
    const { mail, into, address, owner, campaign_id } = await branching()
    expect(await leadTo(mail)).toMatchObject({ status: 'replied' })
    expect(await leadIn(into, address)).toBeNull()
    await branchRound(later)
    await branchRound(later)
    const lead = await leadIn(into, address)
    expect(lead).toMatchObject({ status: 'pending' })
    expect(await db.campaignLead.count({ where: { campaign_id: into } })).toBe(2)
    expect(await branchOf(into)).toMatchObject({ outcome: 'added', next_try_at: null })
    const source = await leadIn(campaign_id, address)
    expect(await logOf(source?.campaign_lead_id ?? '')).toEqual(['replied', 'branched'])
    const { events } = await leadTimeline(owner.workspace_id, into, lead?.campaign_lead_id ?? '', later)
    const [branched] = events.filter(({ kind }) => kind === 'branched')
    expect(branched?.reason).toContain('because their reply was classified as “interested”')
    expect(await recipients(minutes(40))).toContain(address)
  })

  test('their reply there ends them there, and they are not added again', async () => {
    const { into, address, in: arrives } = await branching()
    await branchRound(later)
    const { outbox } = await dispatchAt(minutes(40))
    const [again] = outbox.filter(({ to }) => to.address === address)
    if (!again) throw new Error('nothing left to them')
    await arrives(replyTo(again, INTERESTED), minutes(50))
    await branchRound(minutes(51))
    expect(await leadIn(into, address)).toMatchObject({ status: 'replied' })
    expect(await recipients(minutes(72 * 60))).not.toContain(address)
  })

  test('is off once they say something else before it is done', async () => {
    const { mail, into, address, in: arrives } = await branching()
    await arrives(replyTo(mail, 'No, I am not interested after all.'), minutes(30))
    await branchRound(later)
    expect(await branchOf(into)).toMatchObject({ outcome: 'cancelled', next_try_at: null })
    expect(await leadIn(into, address)).toBeNull()
  })

  test('waits its turn by the contact policy', async () => {
    const made = await begun()
    const other = await nurture(made)
    const { workspace_id } = made.owner
    await db.workspace.update({ where: { workspace_id }, data: { rest_days: 3 } })
    await ruled(made, { intent: 'interested', does: 'branch', branch_campaign_id: other.campaign_id })
    await made.in(replyTo(made.mail, INTERESTED))
    await branchRound(later)
    expect(await recipients(minutes(40))).not.toContain(made.mail.to.address)
    expect(await leadIn(other.campaign_id, made.mail.to.address)).toMatchObject({ reason: 'resting' })
  })

  test('adds nobody who wants no more mail by then', async () => {
    const { into, address, owner } = await branching()
    const { workspace_id } = owner
    await db.suppression.create({ data: { workspace_id, value: address, reason: 'unsubscribe' } })
    await branchRound(later)
    expect(await leadIn(into, address)).toBeNull()
    expect(await branchOf(into)).toMatchObject({ outcome: 'suppressed' })
  })

  test('into a draft adds them to its list, and its launch takes them', async () => {
    const made = await begun()
    const { dataset_id } = await aDataset(made.owner, [{ email: 'somebody@else.test' }])
    const draft = await aCampaign(made.owner, {
      ...OPEN,
      steps_config: [{ ...FIRST, message_template: 'Hi' }],
      dataset_id,
    })
    const { campaign_id } = draft
    await ruled(made, { intent: 'interested', does: 'branch', branch_campaign_id: campaign_id })
    await made.in(replyTo(made.mail, INTERESTED))
    await branchRound(later)
    expect(await db.campaignLead.count({ where: { campaign_id } })).toBe(0)
    await launchCampaign(made.owner.workspace_id, campaign_id, null, minutes(40))
    await enrolLeads(campaign_id, minutes(40))
    await activateCampaign(campaign_id, minutes(40))
    expect(await leadIn(campaign_id, made.mail.to.address)).toMatchObject({ status: 'pending' })
    expect(await recipients(minutes(41))).toContain(made.mail.to.address)
  })

  test('waits while the other campaign is launching, and is done by the chores', async () => {
    const { into, address } = await branching()
    await db.campaign.update({ where: { campaign_id: into }, data: { status: 'launching' } })
    await branchRound(later)
    expect(await branchOf(into)).toMatchObject({ tries: 1, outcome: null })
    await db.campaign.update({ where: { campaign_id: into }, data: { status: 'active' } })
    await chores()
    expect(await leadIn(into, address)).toMatchObject({ status: 'pending' })
  })

  test.each(['dataset_rows', 'campaign_leads', 'campaign_events', 'lead_branches'])(
    'that is cut off while it writes %s is done later, once, whoever of two does it',
    async (table) => {
      const { into, address, campaign_id } = await branching()
      const mend = await cutOff(table)
      try {
        await expect(branchRound(later)).rejects.toThrow()
        expect(await leadIn(into, address)).toBeNull()
      } finally {
        await mend()
      }
      await Promise.all([branchRound(minutes(40)), branchRound(minutes(40))])
      expect(await branchOf(into)).toMatchObject({ outcome: 'added', next_try_at: null })
      expect(await db.campaignLead.count({ where: { campaign_id: into, email: address } })).toBe(1)
      const { dataset_id } = await db.campaign.findUniqueOrThrow({ where: { campaign_id: into } })
      expect(await db.datasetRow.count({ where: { dataset_id: dataset_id ?? '', email: address } })).toBe(1)
      for (const told_in of [campaign_id, into])
        expect(await db.campaignEvent.count({ where: { campaign_id: told_in, kind: 'branched' } })).toBe(1)
    },
  )
})

describe('a correction', () => {
  const correct = async (made: { owner: Made['owner']; mail: Made['mail'] }, body: object) => {
    const { campaign_lead_id } = await leadTo(made.mail)
    const { thread_id } = await db.thread.findFirstOrThrow({ where: { campaign_lead_id } })
    const { status } = await call(UpdateInboxThread, { as: made.owner, params: { thread_id }, body })
    expect(status).toBe(200)
    return thread_id
  }

  test('adds to the other campaign, once, however often it is made', async () => {
    const made = await branching('Who are you?')
    expect(await branchOf(made.into)).toBeNull()
    for (const intent of ['interested', 'not_interested', 'interested']) await correct(made, { intent })
    expect(await db.leadBranch.count({ where: { campaign_id: made.into } })).toBe(1)
    expect(await db.campaignLead.count({ where: { campaign_id: made.into } })).toBe(2)
  })

  test('takes back what was not done yet, and says what was', async () => {
    const made = await branching()
    await correct(made, { intent: 'not_interested' })
    await branchRound(later)
    expect(await branchOf(made.into)).toMatchObject({ outcome: 'cancelled' })
    expect(await leadIn(made.into, made.address)).toBeNull()
  })

  test('to a wish to hear no more suppresses, and ends who was added', async () => {
    const made = await branching()
    await branchRound(later)
    await correct(made, { intent: 'stop' })
    expect(await leadIn(made.into, made.address)).toMatchObject({ status: 'unsubscribed' })
    const { workspace_id } = made.owner
    expect(await db.suppression.count({ where: { workspace_id, value: made.address } })).toBe(1)
    expect(await recipients(minutes(72 * 60))).not.toContain(made.address)
  })

  test('whose process ended before it was followed is followed by the chores', async () => {
    const made = await branching('Who are you?')
    const { campaign_lead_id } = await leadTo(made.mail)
    const { thread_id, intent_message_id } = await db.thread.findFirstOrThrow({ where: { campaign_lead_id } })
    await db.inboxMessage.update({
      where: { inbox_message_id: intent_message_id ?? '' },
      data: { intent: 'interested', intent_by: 'person', follow_at: minutes(0) },
    })
    await db.thread.update({ where: { thread_id }, data: { intent: 'interested' } })
    await chores()
    await chores()
    expect(await leadIn(made.into, made.address)).toMatchObject({ status: 'pending' })
    expect(await db.inboxMessage.count({ where: { thread_id, follow_at: { not: null } } })).toBe(0)
  })
})

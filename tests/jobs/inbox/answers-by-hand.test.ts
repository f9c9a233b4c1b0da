import { afterEach, expect, test } from 'vitest'
import { ListInboxThreads } from '#lib/contracts/inbox/inbox'
import { db } from '#lib/db/client'
import type { MailOutcome } from '#lib/providers/mail/port'
import { replyInInbox } from '#lib/services/inbox/reply'
import { resumeLeads } from '#lib/services/leads/stops'
import { call } from '#tests/support/call'
import { ACCEPTED, memoryMail } from '#tests/support/doubles/memory-mail'
import { awayNotice, replyTo } from '#tests/support/scenes/arrivals'
import { begun, campaignOf, later, launchedOver, leadTo, logOf } from '#tests/support/scenes/begun'
import { dispatchAt, minutes } from '#tests/support/scenes/launched'

/** When the second step is due for every lead that got the first. */
const DAY = minutes(24 * 60 + 5)
/** 09:00 on the working day after the fourth, or on the requested day. */
const BACK = new Date('2026-03-05T09:00:00.000Z')
const AWAY = 'I am on vacation until 4 March 2026.'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const recipients = async (at: Date) => (await dispatchAt(at)).outbox.map(({ to }) => to.address)

const REFUSED: MailOutcome = {
  outcome: 'refused_for_good',
  stage: 'rcpt',
  code: 550,
  enhanced: null,
  response: '550 no',
  blames: 'recipient',
}

/** The mail from a lead is answered in the inbox an hour after the lead was written to. */
async function answering(said: (mail: Awaited<ReturnType<typeof begun>>['mail']) => string) {
  const made = await begun({}, 1)
  await made.in(said(made.mail))
  const lead = () => leadTo(made.mail)
  const { campaign_lead_id } = await lead()
  const { thread_id } = await db.thread.findFirstOrThrow({ where: { campaign_lead_id } })
  const answer = (outcome: MailOutcome | (() => Promise<MailOutcome>) = ACCEPTED) =>
    replyInInbox(
      made.owner,
      thread_id,
      { text: 'Talk to you then.' },
      minutes(60),
      memoryMail(() => (typeof outcome === 'function' ? outcome() : outcome)).provider,
    )
  return { ...made, lead, answer, address: made.mail.to.address }
}

test('an answer to an absence notice ends the lead, as one written elsewhere does', async () => {
  const { owner, lead, answer, campaign_id, address } = await answering((mail) =>
    awayNotice(mail, AWAY, later),
  )
  const { inbox_message_id } = await answer()
  const ended = await lead()
  expect(ended).toMatchObject({
    status: 'skipped',
    reason: 'written_by_hand',
    last_event: 'stopped',
    next_action_at: null,
  })
  expect((await logOf(ended.campaign_lead_id)).at(-1)).toBe('stopped')
  const { campaign_lead_id } = ended
  expect(await db.campaignEvent.findFirst({ where: { campaign_lead_id, kind: 'stopped' } })).toMatchObject({
    detail: { inbox_message_id },
  })
  expect(await campaignOf(campaign_id)).toMatchObject({ status: 'completed' })
  expect(await recipients(BACK)).toEqual([])
  await resumeLeads(owner.workspace_id, campaign_id, [ended.campaign_lead_id], BACK)
  expect(await recipients(BACK)).toEqual([address])
})

test('in every other campaign too, where a reply would', async () => {
  const made = await answering((mail) => awayNotice(mail, AWAY, later))
  const { campaign_id } = await launchedOver(made, made.dataset_id, {})
  await made.answer()
  expect((await db.campaignLead.findMany({ where: { campaign_id } })).map(({ status }) => status)).toEqual([
    'skipped',
  ])
  expect(await recipients(BACK)).toEqual([])
})

test('whoever asked to be written to on a day still is', async () => {
  const { lead, answer, address } = await answering((mail) =>
    replyTo(mail, 'Not right now. Please try again on 5 March 2026.'),
  )
  await answer()
  expect(await lead()).toMatchObject({ status: 'active', next_step: 2 })
  expect(await recipients(DAY)).toEqual([])
  expect(await recipients(BACK)).toEqual([address])
})

test('an answer that did not leave changes nothing', async () => {
  const { lead, answer, address } = await answering((mail) => awayNotice(mail, AWAY, later))
  expect(await answer(REFUSED)).toMatchObject({ delivery_status: 'failed' })
  expect(await lead()).toMatchObject({ status: 'active', next_step: 2 })
  expect(await recipients(BACK)).toEqual([address])
})

test('a reply that comes in while an answer is under way stays unread and is the one to be answered', async () => {
  const { owner, mail, answer, in: arrives } = await answering((sent) => replyTo(sent, 'Tell me more.'))
  await answer(async () => {
    await arrives(replyTo(mail, 'And what does it cost?'), minutes(59))
    return ACCEPTED
  })
  const [thread] = (await call(ListInboxThreads, { as: owner, query: { folder: 'needs_answer' } })).body.items
  expect(thread).toMatchObject({
    unread: true,
    last_direction: 'in',
    preview: 'And what does it cost?',
    message_count: 3,
  })
  await answer()
  expect((await call(ListInboxThreads, { as: owner, query: { folder: 'all' } })).body.items).toMatchObject([
    { unread: false, last_direction: 'out', preview: 'Talk to you then.', message_count: 4 },
  ])
})

import { afterEach, expect, test } from 'vitest'
import { EditDatasetRow } from '#lib/contracts/datasets/dataset-rows'
import { RetryCampaignLeads } from '#lib/contracts/leads/lead-stops'
import { AddSuppressions } from '#lib/contracts/leads/suppressions'
import { db } from '#lib/db/client'
import type { MailOutcome } from '#lib/providers/mail/port'
import { leadTimeline } from '#lib/services/forecast/lead-timelines'
import { pauseCampaign } from '#lib/services/launch/lifecycle'
import { retryLeads } from '#lib/services/leads/failed-leads'
import { deleteMailbox } from '#lib/services/senders/mailboxes'
import { call } from '#tests/support/call'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { arrive, bounceOf, replyTo } from '#tests/support/scenes/arrivals'
import { launchedOver } from '#tests/support/scenes/begun'
import { aMailbox, aUser } from '#tests/support/scenes/factories'
import { dispatchAt, FIRST, launched, MONDAY, minutes, SECOND } from '#tests/support/scenes/launched'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const DAY = 24 * 60
const ABOUT_COMPANY = { ...SECOND, message_template: 'Did you see my mail about {{ company }}?' }
const REFUSED: MailOutcome = {
  outcome: 'refused_for_good',
  blames: 'message',
  stage: 'body',
  code: 554,
  enhanced: null,
  response: '554 too many links',
}
const refusing = () => memoryMail(() => REFUSED)

async function running(fields: Record<string, unknown> = {}, count = 1) {
  const made = await launched(fields, count)
  const { owner, campaign_id, dataset_id } = made
  const leads = () => db.campaignLead.findMany({ where: { campaign_id }, orderBy: { lead_index: 'asc' } })
  const ids = async () => (await leads()).map(({ campaign_lead_id }) => campaign_lead_id)
  const retry = async (now: Date, campaign_lead_ids?: string[]) => {
    return retryLeads(owner.workspace_id, campaign_id, campaign_lead_ids ?? (await ids()), now)
  }
  const statuses = async () => (await leads()).map(({ status }) => status)
  const edit = (data: Record<string, string | null>) =>
    call(EditDatasetRow, { as: owner, params: { dataset_id, lead_index: '0' }, body: { data } })
  const campaign = () => db.campaign.findUniqueOrThrow({ where: { campaign_id } })
  return { ...made, leads, ids, retry, statuses, edit, campaign }
}

test('a step that failed for an empty cell goes out once the cell is filled, in the thread of the first', async () => {
  const { owner, campaign_id, retry, ids, statuses, edit, campaign } = await running({
    steps_config: [FIRST, ABOUT_COMPANY],
  })
  const first = (await dispatchAt(MONDAY)).outbox[0]
  await edit({ company: null })
  expect((await dispatchAt(minutes(DAY))).outbox).toEqual([])
  expect(await statuses()).toEqual(['failed'])
  expect((await campaign()).status).toBe('completed')
  expect((await edit({ company: 'Fjord' })).status).toBe(200)

  const [lead = ''] = await ids()
  const tell = async (at: Date) => (await leadTimeline(owner.workspace_id, campaign_id, lead, at)).events
  expect((await tell(minutes(DAY + 30))).filter(({ kind }) => kind === 'failed')).toHaveLength(1)

  const later = minutes(DAY + 60)
  expect(await retry(later)).toEqual({ changed: await ids(), unchanged: [] })
  expect(await campaign()).toMatchObject({ status: 'draining', processed_leads: 0, completed_at: null })
  const { outbox } = await dispatchAt(later)
  expect(outbox).toMatchObject([
    { text: expect.stringContaining('about Fjord'), in_reply_to: first?.message_id },
  ])
  expect(await campaign()).toMatchObject({ status: 'completed', sent_count: 2 })

  const told = (await tell(minutes(DAY + 90))).filter(({ kind }) =>
    ['sent', 'failed', 'tried_again'].includes(kind),
  )
  expect(told.map(({ kind, step }) => [kind, step])).toEqual([
    ['sent', 1],
    ['failed', 2],
    ['tried_again', 2],
    ['sent', 2],
  ])
  expect(told[1]?.reason).toMatch(/company/)
})

test('a first step that was refused is tried again as a first one, and counts once', async () => {
  const { retry, leads, campaign_id, campaign, statuses } = await running({ steps_config: [FIRST] })
  const refused = (await dispatchAt(MONDAY, refusing())).outbox[0]
  expect(await statuses()).toEqual(['failed'])
  await retry(minutes(10))
  expect(await leads()).toMatchObject([
    { status: 'active', current_step: 0, next_step: 1, reason: null, thread_message_id: null },
  ])
  const { outbox } = await dispatchAt(minutes(10))
  expect(outbox).toMatchObject([{ in_reply_to: null, subject: refused?.subject }])
  expect(await campaign()).toMatchObject({ status: 'completed', sent_count: 1, processed_leads: 1 })
  expect(await db.action.findMany({ where: { campaign_id } })).toMatchObject([
    { step: 1, status: 'sent', attempts: 1 },
  ])
  const counts = await db.actionCount.findMany({ where: { campaign_id, count: { not: 0 } } })
  expect(counts.map(({ status, count }) => [status, count])).toEqual([['sent', 1]])
})

test('refused again, it has failed again, and may be tried once more', async () => {
  const { retry, statuses } = await running({ steps_config: [FIRST] })
  await dispatchAt(MONDAY, refusing())
  await retry(minutes(10))
  await dispatchAt(minutes(10), refusing())
  expect(await statuses()).toEqual(['failed'])
  await retry(minutes(20))
  expect((await dispatchAt(minutes(20))).outbox).toHaveLength(1)
  expect(await statuses()).toEqual(['completed'])
})

test('of who did not fail, is suppressed, has another address or is elsewhere nothing changes', async () => {
  const { retry, ids, owner, dataset_id, leads } = await running({ steps_config: [FIRST] }, 4)
  const elsewhere = await running({ steps_config: [FIRST] })
  const [well] = await leads()
  await dispatchAt(
    MONDAY,
    memoryMail(({ to }) =>
      to.address === well?.email
        ? { outcome: 'accepted', response: '250 OK', server_message_id: null }
        : REFUSED,
    ),
  )
  const [, listed, moved] = await leads()
  await call(AddSuppressions, { as: owner, body: { value: listed?.email ?? '' } })
  await db.datasetRow.updateMany({
    where: { dataset_id, lead_index: moved?.lead_index ?? -1 },
    data: { email: 'moved@example.com' },
  })
  const [one, two, three, four] = await ids()
  const [foreign] = await elsewhere.ids()
  expect(await retry(minutes(5), [one, two, three, four, foreign].map(String))).toEqual({
    changed: [four],
    unchanged: [
      { campaign_lead_id: one, reason: 'not_failed' },
      { campaign_lead_id: two, reason: 'suppressed' },
      { campaign_lead_id: three, reason: 'edited' },
      { campaign_lead_id: foreign, reason: 'not_found' },
    ],
  })
  expect(await elsewhere.statuses()).toEqual(['failed'])
})

test('another’s campaign is not found, and of one’s own it is said what becomes of each', async () => {
  const { ids, campaign_id, owner, leads } = await running()
  const asked = { params: { campaign_id }, body: { campaign_lead_ids: await ids() } }
  await dispatchAt(MONDAY, refusing())
  const { status, body } = await call(RetryCampaignLeads, { as: owner, ...asked })
  expect([status, body]).toEqual([200, { changed: await ids(), unchanged: [] }])
  expect(await leads()).toMatchObject([{ status: 'active', last_event: 'tried_again' }])
  expect((await call(RetryCampaignLeads, { as: await aUser(), ...asked })).status).toBe(404)
})

test('who answers after a step failed has answered, and is not written to again', async () => {
  const { retry, mailbox, statuses, ids, edit, campaign } = await running({
    steps_config: [FIRST, ABOUT_COMPANY],
  })
  const [first] = (await dispatchAt(MONDAY)).outbox
  await edit({ company: null })
  await dispatchAt(minutes(DAY))
  expect(await statuses()).toEqual(['failed'])
  if (!first) throw new Error('Nothing was sent.')
  await arrive(mailbox, replyTo(first), minutes(DAY + 5))
  expect(await statuses()).toEqual(['replied'])
  expect((await campaign()).replied_count).toBe(1)
  const [lead] = await ids()
  expect(await retry(minutes(DAY + 10))).toEqual({
    changed: [],
    unchanged: [{ campaign_lead_id: lead, reason: 'not_failed' }],
  })
})

test('a message that came back after it was accepted is not sent twice', async () => {
  const { retry, mailbox, statuses, ids } = await running({ steps_config: [FIRST] })
  const [first] = (await dispatchAt(MONDAY)).outbox
  if (!first) throw new Error('Nothing was sent.')
  await arrive(mailbox, bounceOf(first, '5.7.1', 'smtp; 554 5.7.1 message refused by policy'), minutes(5))
  expect(await statuses()).toEqual(['failed'])
  const [lead] = await ids()
  expect(await retry(minutes(10))).toEqual({
    changed: [],
    unchanged: [{ campaign_lead_id: lead, reason: 'handed_over' }],
  })
})

test('a message that comes back after its step was tried again is how the lead ended', async () => {
  const { retry, owner, campaign_id, mailbox, ids } = await running({ steps_config: [FIRST] })
  await dispatchAt(MONDAY, refusing())
  await retry(minutes(10))
  const [sent] = (await dispatchAt(minutes(10))).outbox
  if (!sent) throw new Error('Nothing was sent.')
  await arrive(mailbox, bounceOf(sent, '5.7.1', 'smtp; 554 5.7.1 message refused by policy'), minutes(15))
  const [lead = ''] = await ids()
  const { events } = await leadTimeline(owner.workspace_id, campaign_id, lead, minutes(20))
  const told = events.filter(({ kind }) => ['sent', 'failed', 'tried_again'].includes(kind))
  expect(told.map(({ kind }) => kind)).toEqual(['failed', 'tried_again', 'sent', 'failed'])
  expect(told.at(-1)?.reason).toContain('refused by policy')
})

test('whose mailbox was removed meanwhile is written to from another, and a paused campaign stays paused', async () => {
  const { retry, owner, mailbox, campaign_id, campaign } = await running({ steps_config: [FIRST] }, 2)
  await dispatchAt(MONDAY, refusing())
  const other = await aMailbox(owner)
  await deleteMailbox(owner.workspace_id, mailbox.mailbox_id)
  await retry(minutes(10))
  await pauseCampaign(owner.workspace_id, campaign_id, minutes(11))
  expect((await dispatchAt(minutes(20))).outbox).toEqual([])
  expect(await campaign()).toMatchObject({ status: 'paused', paused_from: 'draining' })
  await db.campaign.update({
    where: { campaign_id },
    data: { status: 'draining', paused_from: null, paused_reason: null, next_slot_at: minutes(30) },
  })
  const { outbox } = await dispatchAt(minutes(30))
  expect(outbox.map(({ from }) => from.address)).toEqual([other.address, other.address])
})

test('whom another campaign has by now waits for it, since nothing was sent by the first', async () => {
  const made = await running({ steps_config: [FIRST] })
  const { retry, dataset_id, leads } = made
  await dispatchAt(MONDAY, refusing())
  await launchedOver(made, dataset_id, { steps_config: [FIRST, SECOND] })
  expect((await dispatchAt(minutes(1))).outbox).toHaveLength(1)
  await retry(minutes(10))
  expect((await dispatchAt(minutes(10))).outbox).toEqual([])
  expect(await leads()).toMatchObject([{ status: 'active', reason: 'person_busy' }])
})

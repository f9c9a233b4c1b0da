import { afterEach, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { SEND_DAYS } from '#lib/domain/calendar/schedule'
import { getCampaign } from '#lib/services/campaigns/campaigns'
import { updateCampaign } from '#lib/services/changes/update'
import { forecastCampaign, forecastEdited } from '#lib/services/forecast/forecasts'
import { pauseCampaign, resumeCampaign } from '#lib/services/launch/lifecycle'
import { WORKING } from '#lib/services/senders/mailboxes'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { arrive, bounceOf } from '#tests/support/scenes/arrivals'
import { aMailbox } from '#tests/support/scenes/factories'
import { FAILING } from '#tests/support/scenes/failing'
import { dispatchAt, FIRST, launched, leadsOf, MONDAY, minutes } from '#tests/support/scenes/launched'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const DAY = 24 * 60

type Made = Awaited<ReturnType<typeof launched>>
type Edit = Parameters<typeof updateCampaign>[2]

/** Pauses the campaign after its first sends, edits it, and resumes it an hour later. */
async function edited({ owner, campaign_id }: Made, change: Edit) {
  await dispatchAt(MONDAY)
  await pauseCampaign(owner.workspace_id, campaign_id, minutes(1))
  await updateCampaign(owner.workspace_id, campaign_id, change, minutes(2))
  await resumeCampaign(owner.workspace_id, campaign_id, minutes(60))
}

test('leads of a mailbox that was taken out go on from another, in the same thread', async () => {
  const made = await launched()
  const other = await aMailbox(made.owner, { address: 'other@example.org' })
  await db.mailbox.update({ where: { mailbox_id: other.mailbox_id }, data: FAILING })
  await dispatchAt(MONDAY)
  await db.mailbox.update({ where: { mailbox_id: other.mailbox_id }, data: WORKING })
  await edited(made, { alias_ids: [other.mailbox_id] })
  expect((await leadsOf(made.campaign_id)).map((lead) => [lead.mailbox_id, lead.next_sender_id])).toEqual(
    Array(3).fill([null, null]),
  )
  const { outbox } = await dispatchAt(minutes(DAY))
  expect(outbox.map((mail) => [mail.from.address, mail.subject])).toEqual(
    [0, 1, 2].map((lead) => ['other@example.org', `Re: Hello Lead${lead}`]),
  )
  expect(outbox.every((mail) => mail.in_reply_to?.endsWith('@example.org>'))).toBe(true)
  expect((await leadsOf(made.campaign_id)).map((lead) => lead.mailbox_id)).toEqual(
    Array(3).fill(other.mailbox_id),
  )
})

test('leads keep a mailbox that stays', async () => {
  const made = await launched()
  const other = await aMailbox(made.owner)
  const before = await leadsOf(made.campaign_id)
  await edited(made, { alias_ids: [made.mailbox.mailbox_id, other.mailbox_id] })
  const kept = await leadsOf(made.campaign_id)
  expect(kept).toHaveLength(before.length)
  const owners = new Set(kept.map((lead) => lead.mailbox_id))
  for (const id of owners) expect([made.mailbox.mailbox_id, other.mailbox_id]).toContain(id)
  expect(owners.has(null)).toBe(false)
})

test('a retried action that changes its mailbox is found under the Message-ID that left', async () => {
  const made = await launched({}, 1)
  const busy = {
    stage: 'rcpt',
    code: 450,
    enhanced: null,
    response: '450 busy',
    blames: 'recipient',
  } as const
  const refused = await dispatchAt(
    MONDAY,
    memoryMail(() => ({ outcome: 'refused_for_now', ...busy })),
  )
  expect(refused.offered).toBe(1)
  const other = await aMailbox(made.owner, { address: 'x@other.example' })
  await pauseCampaign(made.owner.workspace_id, made.campaign_id, minutes(1))
  await updateCampaign(
    made.owner.workspace_id,
    made.campaign_id,
    { alias_ids: [other.mailbox_id] },
    minutes(2),
  )
  await resumeCampaign(made.owner.workspace_id, made.campaign_id, minutes(60))
  const { outbox } = await dispatchAt(minutes(60))
  const [action] = await db.action.findMany({ where: { campaign_id: made.campaign_id } })
  expect(outbox.map((mail) => mail.message_id)).toEqual([action?.message_id])
  expect(action?.message_id).toContain('@other.example>')
})

test('a new delay counts from what was really sent, and nothing comes in a burst', async () => {
  const made = await launched({ min_interval_seconds: 0 })
  const { steps_config } = await getCampaign(made.owner.workspace_id, made.campaign_id)
  const steps = steps_config.map((step) => (step.step === 2 ? { ...step, delay_days: 3 } : step))
  await edited(made, { steps_config: steps, min_interval_seconds: 600 })
  expect((await leadsOf(made.campaign_id)).map((lead) => lead.next_action_at)).toEqual(
    Array(3).fill(minutes(3 * DAY)),
  )
  expect((await dispatchAt(minutes(DAY))).offered).toBe(0)
  // A day late: all three are overdue, and still only one is sent at a time.
  expect((await dispatchAt(minutes(4 * DAY))).offered).toBe(1)
  expect((await dispatchAt(minutes(4 * DAY + 9))).offered).toBe(0)
  expect((await dispatchAt(minutes(4 * DAY + 13))).offered).toBe(1)
})

const DAILY = { send_days: [...SEND_DAYS], daily_limit: 1, steps_config: [FIRST] }
test.each([
  // MONDAY at ten belongs to the window that opened on Sunday night, and by the new hours to Monday.
  [
    { sending_window_start: '22:00', sending_window_end: '10:30' },
    { sending_window_start: '08:00:00', sending_window_end: '20:00:00' },
    '2026-03-03T08:00:00.000Z',
  ],
  // It is Tuesday in Kiritimati, and Monday in New York.
  [{ timezone: 'Pacific/Kiritimati' }, { timezone: 'America/New_York' }, '2026-03-03T05:00:00.000Z'],
])(
  'what left under other hours counts for the day that it falls on by the new ones: %o',
  async (was, is, next) => {
    const made = await launched({ ...DAILY, ...was })
    const { owner, campaign_id } = made
    expect((await dispatchAt(MONDAY)).offered).toBe(1)
    await pauseCampaign(owner.workspace_id, campaign_id, minutes(1))
    const campaign = await getCampaign(owner.workspace_id, campaign_id)
    const shown = await forecastEdited(
      owner.workspace_id,
      campaign_id,
      { ...campaign, ...is },
      { offset: 0, limit: 10 },
      minutes(2),
    )
    expect(shown.first_at).toBe(Date.parse(next))
    await updateCampaign(owner.workspace_id, campaign_id, is, minutes(2))
    await resumeCampaign(owner.workspace_id, campaign_id, minutes(60))
    const forecast = await forecastCampaign(
      owner.workspace_id,
      campaign_id,
      { offset: 0, limit: 10 },
      minutes(60),
    )
    expect(forecast.first_at).toBe(Date.parse(next))
    expect((await dispatchAt(minutes(60))).offered).toBe(0)
    expect((await dispatchAt(new Date(Date.parse(next) - 1))).offered).toBe(0)
    expect((await dispatchAt(new Date(next))).offered).toBe(1)
  },
)

test('a mail that came back keeps its place of the day when the hours are edited', async () => {
  const made = await launched({ ...DAILY, sending_window_start: '09:00', sending_window_end: '12:00' })
  const { owner, campaign_id } = made
  const { outbox } = await dispatchAt(MONDAY)
  expect(outbox).toHaveLength(1)
  await arrive(made.mailbox, bounceOf(outbox[0] ?? expect.fail(), '4.2.2'), minutes(1))
  expect(await db.action.findMany({ where: { campaign_id } })).toMatchObject([{ status: 'retry' }])
  await pauseCampaign(owner.workspace_id, campaign_id, minutes(2))
  const hours = { sending_window_start: '08:00:00', sending_window_end: '20:00:00' }
  const page = { offset: 0, limit: 10 }
  const campaign = await getCampaign(owner.workspace_id, campaign_id)
  const tuesday = Date.parse('2026-03-03T08:00:00.000Z')
  const shown = await forecastEdited(
    owner.workspace_id,
    campaign_id,
    { ...campaign, ...hours },
    page,
    minutes(3),
  )
  expect(shown.first_at).toBe(tuesday)
  await updateCampaign(owner.workspace_id, campaign_id, hours, minutes(3))
  await resumeCampaign(owner.workspace_id, campaign_id, minutes(240))
  expect((await dispatchAt(minutes(240))).offered).toBe(0)
  expect((await dispatchAt(new Date(tuesday))).offered).toBe(1)
})

test('leads that wait for a step that is taken away are completed', async () => {
  const made = await launched()
  const { steps_config } = await getCampaign(made.owner.workspace_id, made.campaign_id)
  await edited(made, { steps_config: steps_config.slice(0, 1) })
  expect((await leadsOf(made.campaign_id)).map((lead) => lead.status)).toEqual(Array(3).fill('completed'))
  await dispatchAt(minutes(61))
  expect(await getCampaign(made.owner.workspace_id, made.campaign_id)).toMatchObject({
    status: 'completed',
    sent_count: 3,
    processed_leads: 3,
  })
})

test('a step that was reached is not edited, and then nothing of the edit is kept', async () => {
  const made = await launched()
  const { steps_config } = await getCampaign(made.owner.workspace_id, made.campaign_id)
  const steps = steps_config.map((step) => ({ ...step, subject: 'Other' }))
  await expect(edited(made, { steps_config: steps, daily_limit: 3 })).rejects.toMatchObject({
    code: 'campaign_not_editable',
  })
  const kept = await getCampaign(made.owner.workspace_id, made.campaign_id)
  expect([kept.daily_limit, kept.steps_config]).toEqual([1_000, steps_config])
})

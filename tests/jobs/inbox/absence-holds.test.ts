import { afterEach, describe, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { explainCampaign } from '#lib/services/forecast/explanations'
import { wholeForecast } from '#lib/services/forecast/forecasts'
import { leadTimeline } from '#lib/services/forecast/lead-timelines'
import { arrive, awayNotice, replyTo } from '#tests/support/scenes/arrivals'
import { begun, campaignOf, later, launchedOver, leadTo, logOf } from '#tests/support/scenes/begun'
import { aCampaign } from '#tests/support/scenes/factories'
import { dispatchAt, FIRST, minutes, OPEN } from '#tests/support/scenes/launched'

/** When the second step is due for every lead that got the first. */
const DAY = minutes(24 * 60 + 5)
/** 09:00 on the working day after the fourth. */
const BACK = new Date('2026-03-05T09:00:00.000Z')
const UNTIL_4 = 'I am on vacation until 4 March 2026. Please write to Bob Smith <bob@lead.test>.'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const leadIn = (campaign_id: string, email: string) =>
  db.campaignLead.findFirstOrThrow({ where: { campaign_id, email } })
const recipients = async (at: Date) => (await dispatchAt(at)).outbox.map(({ to }) => to.address)

/** Two leads got their first mail; an auto-reply of one says that she is away. */
async function away(text = UNTIL_4, fields = {}, leads = 2) {
  const made = await begun(fields, leads)
  const notice = awayNotice(made.mail, text, later)
  expect(await made.in(notice)).toMatchObject({ kind: 'automatic_reply' })
  return { ...made, address: made.mail.to.address, notice }
}

const absenceOf = (workspace_id: string) => db.absence.findFirst({ where: { workspace_id } })

describe('an absence notice', () => {
  test('holds the person until the morning of the first working day after', async () => {
    const { owner, address, campaign_id } = await away()
    expect(await absenceOf(owner.workspace_id)).toMatchObject({
      email: address,
      until: BACK,
      said: 'I am on vacation until 4 March 2026.',
      deputy_email: 'bob@lead.test',
      deputy_name: 'Bob Smith',
    })
    const mailed = await recipients(DAY)
    expect(mailed).toHaveLength(1)
    expect(mailed).not.toContain(address)
    const lead = await leadIn(campaign_id, address)
    expect(lead).toMatchObject({ status: 'active', next_step: 2, next_action_at: BACK })
    expect(await logOf(lead.campaign_lead_id)).toEqual(['automatic_reply', 'put_off'])
    expect(await campaignOf(campaign_id)).toMatchObject({ next_slot_at: BACK, status: 'draining' })
    expect(await recipients(new Date(BACK.getTime() - 1))).toEqual([])
    expect(await recipients(BACK)).toEqual([address])
  })

  test('says so where the zone of the lead is another', async () => {
    const made = await begun({}, 1)
    await db.$executeRaw`UPDATE dataset_rows SET data = data || '{"timezone": "America/New_York"}'
      WHERE dataset_id = ${made.dataset_id}::uuid`
    await made.in(awayNotice(made.mail, UNTIL_4, later))
    expect(await absenceOf(made.owner.workspace_id)).toMatchObject({
      until: new Date('2026-03-05T14:00:00.000Z'),
    })
  })

  test('holds seven days where it says no day', async () => {
    const { owner } = await away('I am out of the office with limited access to email.')
    expect(await absenceOf(owner.workspace_id)).toMatchObject({
      until: new Date('2026-03-09T09:00:00.000Z'),
      last_day: null,
    })
  })

  test('holds nobody once it is over, and a receipt never does', async () => {
    const made = await begun()
    await made.in(awayNotice(made.mail, 'I am on vacation until 3 March 2026.', later), minutes(3 * 24 * 60))
    await made.in(awayNotice(made.mail, 'We have got your message.', later))
    expect(await absenceOf(made.owner.workspace_id)).toBeNull()
    expect(await recipients(minutes(3 * 24 * 60 + 5))).toHaveLength(2)
  })

  test('holds in every other campaign too, before its first step as after', async () => {
    const made = await away()
    const { address, owner } = made
    const { workspace_id } = owner
    await db.workspace.update({ where: { workspace_id }, data: { one_campaign_at_a_time: false } })
    const draft = await aCampaign(owner, { ...OPEN, dataset_id: made.dataset_id })
    const forecast = await wholeForecast(owner.workspace_id, draft.campaign_id, later)
    expect([...forecast.at].map((at) => new Date(at).toISOString()).slice(0, 3)).toContain(
      later.toISOString(),
    )
    const other = await launchedOver(made, made.dataset_id, {})
    expect(await recipients(later)).not.toContain(address)
    expect(await leadIn(other.campaign_id, address)).toMatchObject({
      status: 'active',
      next_step: 1,
      current_step: 0,
      next_action_at: BACK,
    })
    expect(await campaignOf(other.campaign_id)).toMatchObject({ status: 'active' })
    // The second step of the first campaign, and the first step of the other.
    expect(await recipients(BACK)).toContain(address)
    expect(await leadIn(other.campaign_id, address)).toMatchObject({ current_step: 1 })
  })

  test('while an action is under way counts for the step after it', async () => {
    const made = await begun({ steps_config: [FIRST, { ...FIRST, delay_days: 0 }] }, 1)
    const { mail, in: arrives } = made
    await arrives(awayNotice(mail, UNTIL_4, later), minutes(0))
    expect(await recipients(minutes(1))).toEqual([])
    expect(await recipients(BACK)).toEqual([mail.to.address])
  })

  test('a later one moves the day, either way', async () => {
    const { mail, mailbox, campaign_id, address } = await away()
    await recipients(DAY)
    await arrive(mailbox, awayNotice(mail, 'I am on vacation until 10 March 2026.', DAY), DAY)
    const longer = new Date('2026-03-11T09:00:00.000Z')
    expect(await leadIn(campaign_id, address)).toMatchObject({ next_action_at: longer })
    expect(await recipients(BACK)).toEqual([])
    await arrive(mailbox, awayNotice(mail, 'I am back on 6 March 2026.', BACK), BACK)
    const sooner = new Date('2026-03-06T09:00:00.000Z')
    expect(await leadIn(campaign_id, address)).toMatchObject({ next_action_at: sooner })
    expect(await campaignOf(campaign_id)).toMatchObject({ next_slot_at: sooner })
    expect(await recipients(sooner)).toEqual([address])
  })

  test('stands before a reply, which ends the lead as ever', async () => {
    const { mail, in: arrives } = await away()
    await arrives(replyTo(mail))
    expect(await leadTo(mail)).toMatchObject({ status: 'replied', next_action_at: null })
    expect(await recipients(BACK)).not.toContain(mail.to.address)
  })

  test('leaves a lead that waits for its text waiting', async () => {
    const made = await begun({}, 1)
    await db.$executeRaw`UPDATE campaign_leads SET last_event = 'held', next_action_at = NULL
      WHERE campaign_id = ${made.campaign_id}::uuid`
    await made.in(awayNotice(made.mail, UNTIL_4, later))
    expect(await leadTo(made.mail)).toMatchObject({ last_event: 'held' })
  })
})

describe('who is away is known to', () => {
  test('the forecast, which is what happens', async () => {
    const { owner, campaign_id, address } = await away()
    const { lead_index } = await leadIn(campaign_id, address)
    const planned = await wholeForecast(owner.workspace_id, campaign_id, later)
    const mine = [...planned.at].filter((_, index) => planned.lead_index[index] === lead_index)
    expect(mine).toEqual([BACK.getTime()])
    await recipients(DAY)
    const after = await wholeForecast(owner.workspace_id, campaign_id, DAY)
    expect([...after.at]).toEqual([BACK.getTime()])
  })

  test('the explanation, before its turn and after', async () => {
    const { owner, campaign_id } = await away(UNTIL_4, {}, 1)
    const explained = { code: 'absent', until: BACK, params: { people: 1 } }
    expect(await explainCampaign(owner.workspace_id, campaign_id, later)).toMatchObject(explained)
    await recipients(DAY)
    expect(await explainCampaign(owner.workspace_id, campaign_id, DAY)).toMatchObject(explained)
  })

  test('the timeline, in their own words', async () => {
    const { owner, campaign_id, mail } = await away()
    const { campaign_lead_id } = await leadTo(mail)
    const { events } = await leadTimeline(owner.workspace_id, campaign_id, campaign_lead_id, later)
    expect(events.find(({ kind }) => kind === 'automatic_reply')).toMatchObject({
      detail: {
        away_until: BACK.toISOString(),
        said: 'I am on vacation until 4 March 2026.',
        deputy: 'bob@lead.test',
      },
    })
    expect(events.at(-1)).toMatchObject({ kind: 'planned', at: BACK })
  })
})

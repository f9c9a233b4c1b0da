import { afterEach, describe, expect, test } from 'vitest'
import { HoldCampaignLead, ReleaseCampaignLead } from '#lib/contracts/leads/lead-holds'
import { db } from '#lib/db/client'
import { wholeForecast } from '#lib/services/forecast/forecasts'
import { holdLead, releaseLead } from '#lib/services/leads/holds'
import { call } from '#tests/support/call'
import { campaignOf, later, launchedOver, logOf } from '#tests/support/scenes/begun'
import { aUser } from '#tests/support/scenes/factories'
import { dispatchAt, launched, MONDAY, minutes } from '#tests/support/scenes/launched'

const DAY_MS = 86_400_000
const THURSDAY = minutes(3 * 24 * 60)

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

/** A campaign of one lead without a first step yet, and the parameters that name the lead. */
async function waiting() {
  const made = await launched({ send_days: [1, 2, 3, 4, 5, 6, 7] }, 1)
  const { campaign_id, owner } = made
  const lead = await db.campaignLead.findFirstOrThrow({ where: { campaign_id } })
  const params = { campaign_id, campaign_lead_id: lead.campaign_lead_id }
  const named = { workspaceId: owner.workspace_id, campaignId: campaign_id, leadId: lead.campaign_lead_id }
  return { ...made, lead, params, named }
}

const leadIn = (campaign_id: string) => db.campaignLead.findFirstOrThrow({ where: { campaign_id } })
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

describe('holding a person', () => {
  test('200: nothing is sent before, in any campaign, and the forecast knows', async () => {
    const { owner, params, lead } = await waiting()
    const until = inDays(3)
    const { status, body } = await call(HoldCampaignLead, { as: owner, params, body: { until } })
    expect(status).toBe(200)
    expect(body).toEqual({
      email: lead.email,
      until,
      last_day: null,
      said: null,
      deputy_email: null,
      deputy_name: null,
    })
    const planned = await wholeForecast(owner.workspace_id, params.campaign_id, new Date())
    expect(planned.at[0]).toBe(Date.parse(until))
    expect(await logOf(lead.campaign_lead_id)).toEqual(['hold_set'])
  })

  test('holds in another campaign over the same person too', async () => {
    const made = await waiting()
    const { workspace_id } = made.owner
    await db.workspace.update({ where: { workspace_id }, data: { one_campaign_at_a_time: false } })
    const other = await launchedOver(made, made.dataset_id, {})
    await holdLead(made.named, THURSDAY, MONDAY)
    expect((await dispatchAt(later)).outbox).toEqual([])
    expect(await leadIn(other.campaign_id)).toMatchObject({ next_action_at: THURSDAY, next_step: 1 })
    expect((await dispatchAt(THURSDAY)).outbox).toHaveLength(2)
  })

  test.each([
    ['in the past', () => inDays(-1)],
    ['more than a year away', () => inDays(400)],
  ])('422 for an instant %s, and nobody is held', async (_, until) => {
    const { owner, params } = await waiting()
    const { status } = await call(HoldCampaignLead, { as: owner, params, body: { until: until() } })
    expect(status).toBe(422)
    expect(await db.absence.count({ where: { workspace_id: owner.workspace_id } })).toBe(0)
  })

  test('404 for the lead of another workspace, 409 for one without an address', async () => {
    const { owner, params, lead } = await waiting()
    const body = { until: inDays(3) }
    expect((await call(HoldCampaignLead, { as: await aUser(), params, body })).status).toBe(404)
    await db.campaignLead.update({
      where: { campaign_lead_id: lead.campaign_lead_id },
      data: { email: null },
    })
    expect((await call(HoldCampaignLead, { as: owner, params, body })).status).toBe(409)
    expect((await call(ReleaseCampaignLead, { as: owner, params })).status).toBe(409)
  })
})

describe('lifting a hold', () => {
  test('200: whoever was put off is due at once', async () => {
    const { named, campaign_id, lead } = await waiting()
    await holdLead(named, THURSDAY, MONDAY)
    expect((await dispatchAt(later)).outbox).toEqual([])
    const then = minutes(60)
    expect(await releaseLead(named, then)).toEqual({ was_held: true })
    expect(await campaignOf(campaign_id)).toMatchObject({ next_slot_at: then })
    expect((await dispatchAt(then)).outbox).toHaveLength(1)
    expect(await logOf(lead.campaign_lead_id)).toEqual(['hold_set', 'put_off', 'hold_lifted'])
  })

  test('200 where there is none, and nothing changes', async () => {
    const { owner, params, campaign_id } = await waiting()
    const before = await leadIn(campaign_id)
    const { status, body } = await call(ReleaseCampaignLead, { as: owner, params })
    expect([status, body]).toEqual([200, { was_held: false }])
    expect(await leadIn(campaign_id)).toEqual(before)
  })

  test('404 for the lead of another workspace, which stays held', async () => {
    const { named, owner, params } = await waiting()
    await holdLead(named, THURSDAY, MONDAY)
    expect((await call(ReleaseCampaignLead, { as: await aUser(), params })).status).toBe(404)
    expect(await db.absence.count({ where: { workspace_id: owner.workspace_id } })).toBe(1)
  })
})

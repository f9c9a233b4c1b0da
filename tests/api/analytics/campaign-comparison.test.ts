import { afterEach, expect, test } from 'vitest'
import { ReadCampaignAnalytics } from '#lib/contracts/campaigns/campaign-analytics'
import { CompareCampaigns } from '#lib/contracts/campaigns/campaign-comparison'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { dispatchAt, launched, launchedFor, MONDAY, minutes, WATCHED } from '#tests/support/scenes/launched'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const DAY = 24 * 60

async function reply(campaign_id: string, lead_index: number, intent?: 'interested' | 'not_interested') {
  const lead = await db.campaignLead.update({
    where: { campaign_id_lead_index: { campaign_id, lead_index } },
    data: {
      status: 'replied',
      next_step: null,
      next_action_at: null,
      next_action_type: null,
      last_event_at: minutes(60),
    },
  })
  if (!intent) return
  const { workspace_id, campaign_lead_id } = lead
  await db.thread.create({
    data: {
      workspace_id,
      campaign_id,
      campaign_lead_id,
      counterpart_address: 'a@example.com',
      subject: 'Re: Hello',
      intent,
      last_message_at: minutes(60),
      last_direction: 'in',
      last_kind: 'reply',
      preview: 'Yes',
    },
  })
}

test('two campaigns side by side, by the figures of each one’s analytics', async () => {
  const { owner, campaign_id } = await launched({ steps_config: [WATCHED] }, 4)
  const other = await launchedFor(owner, {}, 3)
  await dispatchAt(MONDAY)
  await reply(campaign_id, 0, 'interested')
  await reply(campaign_id, 1, 'not_interested')
  await reply(other.campaign_id, 0)
  await dispatchAt(minutes(DAY))

  const params = { campaign_id }
  const query = { compare_to: other.campaign_id }
  const { body, status } = await call(CompareCampaigns, { as: owner, params, query })
  expect(status).toBe(200)
  expect(body.campaign).toMatchObject({ campaign_id, sent: 4, contacted: 4 })
  expect(body.compare_to).toMatchObject({ campaign_id: other.campaign_id, sent: 5, contacted: 3 })
  const counted = body.measures.map(({ name, ...sides }) => [
    name,
    sides.campaign && [sides.campaign.numerator, sides.campaign.denominator],
    sides.compare_to && [sides.compare_to.numerator, sides.compare_to.denominator],
  ])
  expect(counted).toEqual([
    ['delivered', [4, 4], [3, 3]],
    ['opened', [0, 4], null],
    ['clicked', null, null],
    ['replied', [2, 4], [1, 3]],
    ['interested', [1, 4], [0, 3]],
    ['bounced', [0, 4], [0, 3]],
    ['unsubscribed', [0, 4], [0, 3]],
  ])
  expect(body.measures.find(({ name }) => name === 'opened')?.verdict).toBeNull()
  expect(body.measures.find(({ name }) => name === 'replied')?.verdict).toMatchObject({
    better: 'campaign',
    settled: false,
  })
  expect(body.days).toEqual([
    { day: 0, campaign: { sent: 4, replied: 2 }, compare_to: { sent: 3, replied: 1 } },
    { day: 1, campaign: null, compare_to: { sent: 2, replied: 0 } },
  ])
  const unsaid = await call(CompareCampaigns, { as: owner, params })
  expect(unsaid.body).toEqual(body)
  const own = await call(ReadCampaignAnalytics, { as: owner, params })
  expect(body.measures.find(({ name }) => name === 'replied')?.campaign).toEqual(own.body.reply_rate)
})

test('404 for a campaign of others, on either side', async () => {
  const { owner, campaign_id } = await launched()
  const foreign = (await launched()).campaign_id
  const read = (id: string, compare_to: string) =>
    call(CompareCampaigns, { as: owner, params: { campaign_id: id }, query: { compare_to } })
  expect((await read(campaign_id, foreign)).status).toBe(404)
  expect((await read(foreign, campaign_id)).status).toBe(404)
  // Without an id, no campaign of another workspace is compared either.
  expect((await call(CompareCampaigns, { as: owner, params: { campaign_id } })).status).toBe(409)
})

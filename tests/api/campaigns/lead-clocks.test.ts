import { expect, test } from 'vitest'
import { CreateCampaign, DuplicateCampaign, UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { ReadLaunchChecks } from '#lib/contracts/campaigns/launch-checks'
import { ListCampaignLeads } from '#lib/contracts/leads/campaign-leads'
import { call } from '#tests/support/call'
import { drafted, launchedByClocks } from '#tests/support/scenes/launched'

const ADA = { first_name: 'Ada', country: 'Japan' }
const BEN = { first_name: 'Ben', country: '' }

test('a campaign goes by its own clock unless it is told to go by those of its leads, and a copy does as it did', async () => {
  const { owner, dataset_id, campaign_id } = await drafted({ schedule_timezone: 'campaign' }, [ADA])
  const created = await call(CreateCampaign, { as: owner, body: { name: 'Plain', dataset_id } })
  expect(created.body.schedule_timezone).toBe('campaign')
  const params = { campaign_id }
  const edited = await call(UpdateCampaign, { as: owner, params, body: { schedule_timezone: 'lead' } })
  expect(edited.body.schedule_timezone).toBe('lead')
  const copy = await call(DuplicateCampaign, { as: owner, params, body: {} })
  expect(copy.body.schedule_timezone).toBe('lead')
})

test('422 for a clock that is neither, which names the field', async () => {
  const { owner, campaign_id } = await drafted({}, [ADA])
  const body = { schedule_timezone: 'recipient' } as never
  const refused = await call(UpdateCampaign, { as: owner, params: { campaign_id }, body })
  expect(refused.status).toBe(422)
  expect(JSON.stringify(refused.body)).toContain(JSON.stringify(['body', 'schedule_timezone']))
})

test('the launch checks count whose time zone is known, and say by which clock the others go', async () => {
  const { owner, campaign_id } = await drafted({}, [ADA, BEN])
  const { body } = await call(ReadLaunchChecks, { as: owner, params: { campaign_id } })
  expect(body.informs).toContainEqual(
    expect.objectContaining({
      code: 'lead_clocks',
      message: '1 of 2 leads is contacted in their own time zone.',
    }),
  )
  expect(body.warns).toContainEqual(
    expect.objectContaining({
      code: 'lead_clocks_unknown',
      message: 'The time zone of 1 lead is unknown. It uses the campaign’s time zone, Europe/Berlin.',
      fix: expect.stringContaining('/datasets/'),
    }),
  )
})

test('a listed lead says by whose clock it lives, and what tells so', async () => {
  const { owner, campaign_id } = await launchedByClocks({}, [ADA, BEN])
  const { body } = await call(ListCampaignLeads, { as: owner, params: { campaign_id } })
  expect(body.items.map(({ timezone, timezone_source }) => [timezone, timezone_source])).toEqual([
    ['Asia/Tokyo', 'country'],
    ['Europe/Berlin', null],
  ])
  const plain = await launchedByClocks({ schedule_timezone: 'campaign' }, [ADA])
  const params = { campaign_id: plain.campaign_id }
  const listed = await call(ListCampaignLeads, { as: plain.owner, params })
  expect(listed.body.items.map((lead) => lead.timezone)).toEqual([null])
})

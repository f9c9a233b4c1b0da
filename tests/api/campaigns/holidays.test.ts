import { expect, test } from 'vitest'
import { CreateCampaign, UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { ForecastCampaign, ForecastDraft, ForecastEdit } from '#lib/contracts/campaigns/forecasts'
import { call } from '#tests/support/call'
import { aCampaign, aDataset, aMailbox, aUser } from '#tests/support/scenes/factories'
import { FIRST } from '#tests/support/scenes/launched'

const places = (campaign: { holiday_country: string | null; holiday_region: string | null }) => [
  campaign.holiday_country,
  campaign.holiday_region,
]

test('a country and its region are kept, in capitals; another country has no region of the old one', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner)
  const made = await call(CreateCampaign, {
    as: owner,
    body: { name: 'Bavaria', dataset_id, holiday_country: 'de', holiday_region: 'by' },
  })
  expect(made.status).toBe(201)
  expect(places(made.body)).toEqual(['DE', 'BY'])
  const params = { campaign_id: made.body.campaign_id }
  const moved = await call(UpdateCampaign, { as: owner, params, body: { holiday_country: 'US' } })
  expect(places(moved.body)).toEqual(['US', null])
  const none = await call(UpdateCampaign, { as: owner, params, body: { holiday_country: null } })
  expect(places(none.body)).toEqual([null, null])
})

test.each([
  ['a country that is none', { holiday_country: 'QQ' }, 'holiday_country'],
  ['a name instead of a code', { holiday_country: 'Germany' }, 'holiday_country'],
  ['a region of another country', { holiday_country: 'DE', holiday_region: 'TX' }, 'holiday_region'],
  ['a region alone', { holiday_region: 'BY' }, 'holiday_region'],
])('422 for %s, wherever it is said', async (_name, body, field) => {
  const owner = await aUser()
  const { campaign_id, dataset_id } = await aCampaign(owner)
  const params = { campaign_id }
  const answers = await Promise.all([
    call(UpdateCampaign, { as: owner, params, body }),
    call(CreateCampaign, { as: owner, body: { name: 'Other', dataset_id, ...body } }),
    call(ForecastEdit, { as: owner, params, body }),
    call(ForecastDraft, { as: owner, body: { leads_count: 3, ...body } }),
  ])
  for (const { status, body: refusal } of answers) {
    expect(status).toBe(422)
    expect(JSON.stringify(refusal)).toContain(JSON.stringify(['body', field]))
  }
})

test('nothing is planned on a holiday of the region, and the forecast names the next ones', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, 3)
  await aMailbox(owner)
  const { campaign_id } = await aCampaign(owner, {
    dataset_id,
    steps_config: [FIRST],
    daily_limit: 1,
    timezone: 'Europe/Berlin',
    holiday_country: 'DE',
    holiday_region: 'BY',
  })
  const params = { campaign_id }
  // The Thursday before Good Friday.
  const query = { starts_at: '2026-04-02T06:00:00Z' }
  const { body } = await call(ForecastCampaign, { as: owner, params, query })
  expect(body.days.map(({ date }) => date)).toEqual(['2026-04-02', '2026-04-07', '2026-04-08'])
  expect(body.next_holidays).toEqual([
    { date: '2026-04-03', name: 'Karfreitag' },
    { date: '2026-04-06', name: 'Ostermontag' },
    { date: '2026-05-01', name: 'Maifeiertag' },
    { date: '2026-05-14', name: 'Christi Himmelfahrt' },
    { date: '2026-05-25', name: 'Pfingstmontag' },
  ])
  const edited = await call(ForecastEdit, { as: owner, params, query, body: { holiday_country: null } })
  expect(edited.body.days.map(({ date }) => date)).toEqual(['2026-04-02', '2026-04-03', '2026-04-06'])
  expect(edited.body.next_holidays).toEqual([])
})

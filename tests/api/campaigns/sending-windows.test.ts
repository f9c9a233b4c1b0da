import { expect, test } from 'vitest'
import { CreateCampaign, UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { ForecastCampaign, ForecastEdit } from '#lib/contracts/campaigns/forecasts'
import { call } from '#tests/support/call'
import { aCampaign, aDataset, aMailbox, aUser } from '#tests/support/scenes/factories'
import { FIRST } from '#tests/support/scenes/launched'

const SIESTA = [
  { start: '09:00', end: '11:30' },
  { start: '14:00', end: '17:00' },
]
const settled = SIESTA.map(({ start, end }) => ({ start: `${start}:00`, end: `${end}:00` }))
const hours = (campaign: {
  sending_window_start: string
  sending_window_end: string
  sending_windows: unknown
}) => [campaign.sending_window_start, campaign.sending_window_end, campaign.sending_windows]

test('several windows set start and end to the outer ones, whatever those say', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner)
  const made = await call(CreateCampaign, {
    as: owner,
    body: { name: 'Siesta', dataset_id, sending_window_start: '01:00', sending_windows: SIESTA },
  })
  expect(made.status).toBe(201)
  expect(hours(made.body)).toEqual(['09:00:00', '17:00:00', settled])
})

test('who changes start or end alone has one window again', async () => {
  const owner = await aUser()
  const { campaign_id } = await aCampaign(owner, { sending_windows: SIESTA })
  const params = { campaign_id }
  const renamed = await call(UpdateCampaign, { as: owner, params, body: { name: 'Other' } })
  expect(hours(renamed.body)).toEqual(['09:00:00', '17:00:00', settled])
  const moved = await call(UpdateCampaign, { as: owner, params, body: { sending_window_end: '16:00' } })
  expect(hours(moved.body)).toEqual(['09:00:00', '16:00:00', null])
})

test('one window in the list is the window, and null is the one from start to end', async () => {
  const owner = await aUser()
  const { campaign_id } = await aCampaign(owner, { sending_windows: SIESTA })
  const params = { campaign_id }
  const whole = await call(UpdateCampaign, { as: owner, params, body: { sending_windows: null } })
  expect(hours(whole.body)).toEqual(['09:00:00', '17:00:00', null])
  const one = await call(UpdateCampaign, {
    as: owner,
    params,
    body: { sending_windows: [{ start: '10:00', end: '12:00' }] },
  })
  expect(hours(one.body)).toEqual(['10:00:00', '12:00:00', null])
})

test.each([
  ['an end before its start', [{ start: '12:00', end: '09:00' }], ['0', 'end']],
  ['an end at its start', [SIESTA[0], { start: '14:00', end: '14:00' }], ['1', 'end']],
  ['two that overlap', [SIESTA[0], { start: '11:00', end: '13:00' }], ['1', 'start']],
  ['two that touch', [SIESTA[0], { start: '11:30', end: '13:00' }], ['1', 'start']],
  ['two out of order', [SIESTA[1], SIESTA[0]], ['1', 'start']],
  ['none', [], []],
  ['a seventh', Array.from({ length: 7 }, (_, hour) => ({ start: `1${hour}:00`, end: `1${hour}:30` })), []],
])('422 for %s', async (_name, sending_windows, place) => {
  const owner = await aUser()
  const { campaign_id } = await aCampaign(owner)
  const refused = await call(UpdateCampaign, {
    as: owner,
    params: { campaign_id },
    body: { sending_windows } as never,
  })
  expect(refused.status).toBe(422)
  expect(JSON.stringify(refused.body)).toContain(JSON.stringify(['body', 'sending_windows', ...place]))
})

test('nothing is planned between two windows, and the daily limit is one for both', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, 12)
  await aMailbox(owner)
  const { campaign_id } = await aCampaign(owner, {
    dataset_id,
    steps_config: [FIRST],
    min_interval_seconds: 1_800,
    daily_limit: 9,
    sending_windows: SIESTA,
  })
  const params = { campaign_id }
  // A Wednesday.
  const query = { starts_at: '2031-03-05T00:00:00Z', limit: '100' }
  const { body } = await call(ForecastCampaign, { as: owner, params, query })
  const clock = body.actions.map(({ at }) => at.slice(11, 16))
  expect(body.days).toEqual([
    { date: '2031-03-05', planned: 9 },
    { date: '2031-03-06', planned: 3 },
  ])
  expect(clock.filter((time) => time >= '11:30' && time < '14:00')).toEqual([])
  expect(clock.slice(0, 9).some((time) => time < '11:30')).toBe(true)
  expect(clock.slice(0, 9).some((time) => time >= '14:00')).toBe(true)

  const edited = await call(ForecastEdit, {
    as: owner,
    params,
    query,
    body: { sending_windows: [{ start: '12:00', end: '12:40' }] },
  })
  expect(edited.body.days[0]).toEqual({ date: '2031-03-05', planned: 2 })
})

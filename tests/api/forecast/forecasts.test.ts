import { afterEach, expect, test } from 'vitest'
import { ForecastCampaign, ForecastDraft } from '#lib/contracts/campaigns/forecasts'
import { db, pool } from '#lib/db/client'
import { forecastCampaign } from '#lib/services/forecast/forecasts'
import { call } from '#tests/support/call'
import { aCampaign, aDataset, aMailbox, aUser } from '#tests/support/scenes/factories'
import { dispatchAt, FIRST, launched, MONDAY, minutes, SECOND } from '#tests/support/scenes/launched'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const starts_at = '2026-03-02T08:00:00.000Z'
const draft = { steps_config: [FIRST, SECOND], min_interval_seconds: 600, daily_limit: 4 }
const QUERY = { offset: 0, limit: 1_000 }

test('a draft is forecast from its start, over the rows that a launch would enrol', async () => {
  const owner = await aUser()
  await aMailbox(owner)
  await db.suppression.create({
    data: { workspace_id: owner.workspace_id, value: 'no@example.com', reason: 'manual' },
  })
  const { dataset_id } = await aDataset(
    owner,
    ['a@example.com', 'no@example.com', null, 'a@example.com', 'b@example.com'].map((email) => ({ email })),
  )
  const campaign = await aCampaign(owner, { ...draft, dataset_id })
  const { status, body } = await call(ForecastCampaign, { as: owner, params: campaign, query: { starts_at } })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    starts_at,
    timezone: 'UTC',
    total_actions: 4,
    first_at: '2026-03-02T09:00:00.000Z',
    limited_by: 'delay',
    warnings: [],
    days: [
      { date: '2026-03-02', planned: 2 },
      { date: '2026-03-03', planned: 2 },
    ],
    launch: null,
  })
  expect(body.actions.map(({ lead_index, step }) => [lead_index, step])).toEqual([
    [0, 1],
    [4, 1],
    [0, 2],
    [4, 2],
  ])
  expect(body.actions[0]?.at).toBe(body.first_at)
  expect(body.actions.at(-1)?.at).toBe(body.finish_at)
})

test('offset and limit page the actions and nothing else', async () => {
  const owner = await aUser()
  await aMailbox(owner)
  const campaign = await aCampaign(owner, draft)
  const read = async (query: object) =>
    (await call(ForecastCampaign, { as: owner, params: campaign, query: { starts_at, ...query } })).body
  const whole = await read({})
  const page = await read({ offset: 1, limit: 2 })
  expect(page).toEqual({ ...whole, actions: whole.actions.slice(1, 3) })
  expect((await read({ limit: 0 })).actions).toEqual([])
  expect((await read({ offset: 100 })).actions).toEqual([])
})

test('without a mailbox it supposes one, and says so', async () => {
  const owner = await aUser()
  const campaign = await aCampaign(owner, draft)
  const { body } = await call(ForecastCampaign, { as: owner, params: campaign, query: { starts_at } })
  expect(body.total_actions).toBe(6)
  expect(body.warnings.map(({ code }) => code)).toEqual(['no_sender'])
})

test('a scheduled start is where it begins unless the caller says otherwise', async () => {
  const owner = await aUser()
  await aMailbox(owner)
  const start_date = '2090-01-02T09:30:00.000Z'
  const campaign = await aCampaign(owner, { ...draft, launch_type: 'scheduled', start_date })
  expect((await call(ForecastCampaign, { as: owner, params: campaign })).body.starts_at).toBe(start_date)
  const now = Date.now()
  const at_once = await aCampaign(owner, { ...draft, start_date })
  const { body } = await call(ForecastCampaign, { as: owner, params: at_once })
  expect(Date.parse(body.starts_at)).toBeGreaterThanOrEqual(now)
  expect(Date.parse(body.starts_at)).toBeLessThan(now + 60_000)
})

test('an unsaved body is forecast for a number of leads, and nothing is stored', async () => {
  const owner = await aUser()
  await aMailbox(owner)
  const { status, body } = await call(ForecastDraft, {
    as: owner,
    query: { starts_at, limit: 3 },
    body: { ...draft, leads_count: 10 },
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({ total_actions: 20, limited_by: 'daily_limit', launch: null })
  expect(body.actions).toHaveLength(3)
  expect(body.days.reduce((sum, day) => sum + day.planned, 0)).toBe(20)
  expect(Math.max(...body.days.map((day) => day.planned))).toBe(4)
  expect(await db.campaign.count({ where: { workspace_id: owner.workspace_id } })).toBe(0)
})

test('a campaign that would end after the year 9999 is forecast until then', async () => {
  const owner = await aUser()
  const { status, body } = await call(ForecastDraft, {
    as: owner,
    query: { starts_at: '9990-01-03T09:00:00.000Z' },
    body: { leads_count: 1_000, daily_limit: 1, send_days: ['mon'], steps_config: [FIRST] },
  })
  expect(status).toBe(200)
  expect([body.finish_at, body.days.at(-1)?.date]).toEqual([null, '9999-12-27'])
  expect(body.warnings.map(({ code }) => code)).toContain('finishes_after_a_year')
})

test.each([
  ['leads_count', { steps_config: [FIRST] }],
  ['leads_count', { leads_count: -1 }],
  ['leads_count', { leads_count: 1_000_000, steps_config: [FIRST, SECOND, SECOND] }],
  ['timezone', { leads_count: 1, timezone: 'Mars/Olympus' }],
  ['alias_ids', { leads_count: 1, alias_ids: ['01900000-0000-7000-8000-000000000000'] }],
])('422 names %s of an unsaved body', async (field, body) => {
  const { status, error } = await call(ForecastDraft, { as: await aUser(), body })
  expect(status).toBe(422)
  expect(error.details[0].loc[1]).toBe(field)
})

test('after the launch it goes on from what was done, and sets the plan of the launch against it', async () => {
  const { owner, campaign_id } = await launched({ min_interval_seconds: 3_600, daily_limit: 2 }, 3)
  const atLaunch = await forecastCampaign(owner.workspace_id, campaign_id, QUERY, MONDAY)
  expect(atLaunch.launch).toMatchObject({
    made_at: MONDAY.getTime(),
    total_actions: 6,
    finish_at: atLaunch.finish_at,
    days: atLaunch.days.map((day) => ({ ...day, performed: 0 })),
  })
  await dispatchAt(MONDAY)
  const later = await forecastCampaign(owner.workspace_id, campaign_id, QUERY, minutes(10))
  expect(later.actions).toEqual(atLaunch.actions.slice(1))
  expect(later.launch?.days[0]).toEqual({ date: '2026-03-02', planned: 2, performed: 1 })
  expect(later.launch?.days.slice(1)).toEqual(atLaunch.launch?.days.slice(1))
})

test('a paused campaign is forecast as if it were resumed, and an ended one has nothing to come', async () => {
  const { owner, campaign_id } = await launched({ steps_config: [FIRST] }, 2)
  await db.campaign.update({
    where: { campaign_id },
    data: { status: 'paused', paused_from: 'active', next_slot_at: null },
  })
  const paused = await forecastCampaign(owner.workspace_id, campaign_id, QUERY, minutes(90))
  expect(paused).toMatchObject({ total_actions: 2, first_at: minutes(90).getTime() })
  await db.campaign.update({
    where: { campaign_id },
    data: { status: 'active', paused_from: null, next_slot_at: MONDAY },
  })
  await dispatchAt(minutes(91))
  expect(await forecastCampaign(owner.workspace_id, campaign_id, QUERY, minutes(92))).toMatchObject({
    total_actions: 0,
    finish_at: null,
    days: [],
  })
})

test('404 for somebody else’s campaign', async () => {
  const campaign = await aCampaign(await aUser(), draft)
  const { status, error } = await call(ForecastCampaign, { as: await aUser(), params: campaign })
  expect([status, error.detail]).toEqual([404, 'campaign_not_found'])
})

test('the forecast from the dataset and the one from the leads count the same steps', async () => {
  const owner = await aUser()
  await aMailbox(owner)
  const { dataset_id } = await aDataset(owner, 0)
  await pool().query(
    `INSERT INTO dataset_rows (dataset_id, lead_index, workspace_id, email, data)
     SELECT $1, n, $2, 'lead' || n || '@example.com', '{}' FROM generate_series(0, 1999) n`,
    [dataset_id, owner.workspace_id],
  )
  const steps_config = [FIRST, SECOND, SECOND, SECOND, SECOND]
  const campaign = await aCampaign(owner, {
    dataset_id,
    steps_config,
    daily_limit: 10_000,
    min_interval_seconds: 1,
  })
  const { campaign_id } = campaign
  const total = async () =>
    (await forecastCampaign(owner.workspace_id, campaign_id, { ...QUERY, limit: 0 }, MONDAY)).total_actions
  expect(await total()).toBe(10_000)
  await pool().query(
    `INSERT INTO campaign_leads (campaign_id, workspace_id, dataset_id, lead_index, email, status, current_step, next_step,
       next_action_at, next_action_type)
     SELECT $1, $2, $3, lead_index, email, 'active', 1, 2, $4, 'email' FROM dataset_rows WHERE dataset_id = $3`,
    [campaign_id, owner.workspace_id, dataset_id, MONDAY],
  )
  await db.campaign.update({ where: { campaign_id }, data: { status: 'draining', launched_at: MONDAY } })
  expect(await total()).toBe(8_000)
})

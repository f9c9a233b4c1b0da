import { beforeEach, describe, expect, test } from 'vitest'
import { ForecastCampaign } from '#lib/contracts/campaigns/forecasts'
import { AddDatasetRows, EditDatasetRow, RemoveDatasetRow } from '#lib/contracts/datasets/dataset-rows'
import { AddCampaignLeads } from '#lib/contracts/leads/added-leads'
import { ListCampaignLeads } from '#lib/contracts/leads/campaign-leads'
import { AddSuppressions } from '#lib/contracts/leads/suppressions'
import { db } from '#lib/db/client'
import { addCampaignLeads } from '#lib/services/leads/rows/add-leads'
import { call } from '#tests/support/call'
import { aCampaign, aDataset, aUser } from '#tests/support/scenes/factories'
import { dispatchAt, FIRST, launched, launchedFor, MONDAY, minutes } from '#tests/support/scenes/launched'

const STILL = { status: 'failed', next_slot_at: null, paused_from: null, paused_reason: null } as const
/** Campaigns of earlier tests must send nothing more: a dispatch covers all campaigns. */
beforeEach(async () => {
  await db.campaign.updateMany({ data: STILL })
})

const OVER = { next_step: null, next_action_at: null, next_action_type: null, next_sender_id: null }
const REPLIED = { status: 'replied', ...OVER } as const
/** The cells that the texts use. */
const CELLS = { first_name: 'Ada', company: 'Acme' }

type Row = Record<string, string | null>

/** A campaign launched over three rows. */
async function scene(fields: Record<string, unknown> = {}) {
  const { owner, campaign_id, dataset_id } = await launched(fields)
  const params = { campaign_id }
  return {
    owner,
    params,
    dataset_id,
    add: (rows: Row[], now = MONDAY, on_conflict: 'skip' | 'update' = 'skip') =>
      addCampaignLeads(owner.workspace_id, campaign_id, { rows, on_conflict }, now),
    leads: async () => (await call(ListCampaignLeads, { as: owner, params, query: { page_size: 100 } })).body,
    campaign: () => db.campaign.findUniqueOrThrow({ where: params }),
    rowCount: async () => (await db.dataset.findUniqueOrThrow({ where: { dataset_id } })).row_count,
  }
}

const send = async (at: Date) => (await dispatchAt(at)).outbox.map(({ to }) => to.address)
const days = (count: number) => minutes(count * 24 * 60)

describe('leads added to a campaign that runs', () => {
  test('get its steps from the first one on, and counts and forecast go along', async () => {
    const { owner, params, add, leads, campaign, rowCount } = await scene()
    await send(MONDAY)
    const answer = await add([{ ...CELLS, email: 'Ada@Example.com' }], days(1))
    expect(answer).toEqual({ added: 1, updated: 0, skipped: [] })
    expect(await campaign()).toMatchObject({ status: 'active', total_leads: 4, next_slot_at: days(1) })
    expect(await rowCount()).toBe(4)
    expect((await leads()).items[3]).toMatchObject({
      lead_index: 3,
      email: 'ada@example.com',
      status: 'pending',
    })
    const forecast = await call(ForecastCampaign, { as: owner, params, query: {} })
    expect(forecast.body.total_actions).toBe(5)
    expect(await send(days(1))).toContain('ada@example.com')
    expect(await send(days(3))).toEqual(['ada@example.com'])
  })

  test('are skipped by the rules of the launch, each with its code, and then their rows are not kept', async () => {
    const { owner, add, leads, rowCount, campaign } = await scene({ stop_on_company_reply: true })
    await call(AddSuppressions, { as: owner, body: { value: 'no@example.com', reason: 'asked' } })
    await call(AddSuppressions, { as: owner, body: { value: '@never.example', reason: 'asked' } })
    const elsewhere = await launchedFor(owner)
    await db.campaignLead.updateMany({
      where: { campaign_id: elsewhere.campaign_id, lead_index: 0 },
      data: { ...REPLIED, email: 'replied@example.com' },
    })
    await db.campaignLead.updateMany({
      where: { campaign_id: (await campaign()).campaign_id, lead_index: 0 },
      data: { ...REPLIED, email: 'boss@acme.example' },
    })
    const taken = (await leads()).items[1]?.email ?? ''
    const body = await add([
      { email: 'no@example.com' },
      { email: 'new@example.com' },
      { email: 'x@never.example' },
      { email: 'replied@example.com' },
      { email: 'boss@acme.example' },
      { email: 'other@acme.example' },
      { email: taken.toUpperCase() },
      { first_name: 'Nobody' },
      { email: 'newer@example.com' },
    ])
    expect(body.added).toBe(2)
    expect(body.skipped.map(({ index, code }) => [index, code])).toEqual([
      [0, 'suppressed'],
      [2, 'suppressed'],
      [3, 'replied_elsewhere'],
      [4, 'already_in_campaign'],
      [5, 'company_replied'],
      [6, 'already_in_campaign'],
      [7, 'missing_email'],
    ])
    expect(await rowCount()).toBe(5)
    expect((await leads()).items.map(({ lead_index }) => lead_index)).toEqual([0, 1, 2, 3, 4])
  })

  test('are added once, whoever asks at once or again', async () => {
    const { add, leads } = await scene()
    const rows = Array.from({ length: 20 }, (_, index) => ({ ...CELLS, email: `p${index}@example.com` }))
    const answers = await Promise.all([add(rows), add(rows), add(rows.slice(5))])
    expect(answers.reduce((sum, { added }) => sum + added, 0)).toBe(20)
    expect((await add(rows)).added).toBe(0)
    expect((await leads()).total).toBe(23)
    expect(new Set(await send(MONDAY)).size).toBe(23)
  })

  test('update changes the cells of leads that it has, and they are sent nothing twice', async () => {
    const { add, leads } = await scene()
    const [first] = (await leads()).items
    await send(MONDAY)
    const rows = [{ email: first?.email ?? null, first_name: 'Ada' }]
    const body = await add(rows, days(1), 'update')
    expect(body).toEqual({ added: 0, updated: 1, skipped: [] })
    expect((await leads()).items[0]?.data).toMatchObject({ first_name: 'Ada' })
    expect((await send(days(2))).toSorted()).toHaveLength(3)
    expect(await send(days(9))).toEqual([])
  })

  test('update judges a row that joins by what it says then, and one that is passed over stays as it was', async () => {
    const { owner, dataset_id, add } = await scene()
    await call(AddSuppressions, { as: owner, body: { value: '+491701234567', reason: 'asked' } })
    const rows = [
      { ...CELLS, email: 'free@example.com', phone: '+49 170 1234567' },
      { ...CELLS, email: 'listed@example.com' },
    ]
    await call(AddDatasetRows, { as: owner, params: { dataset_id }, body: { rows } })
    const read = () =>
      db.datasetRow.findMany({ where: { dataset_id }, orderBy: { lead_index: 'asc' }, skip: 3 })
    const [, listed] = await read()
    const body = await add(
      [
        { email: 'free@example.com', phone: '+49 170 7654321' },
        { email: 'listed@example.com', phone: '0170 1234567', country: 'Germany', title: 'CEO' },
      ],
      MONDAY,
      'update',
    )
    expect(body).toMatchObject({ added: 1, updated: 0, skipped: [{ index: 1, code: 'suppressed' }] })
    expect(await read()).toMatchObject([{ data: { phone: '+49 170 7654321' } }, { ...listed }])
    expect(await send(MONDAY)).toContain('free@example.com')
  })

  test('two given rows that are one row of the dataset are one: the second is named', async () => {
    const { owner, dataset_id, add } = await scene()
    const linkedin_url = 'linkedin.com/in/ada'
    const rows = [{ ...CELLS, email: 'ada@example.com', linkedin_url }]
    await call(AddDatasetRows, { as: owner, params: { dataset_id }, body: { rows } })
    const twice: Row[] = [
      { email: 'ada@example.com', title: 'CEO' },
      { email: null, linkedin_url: `${linkedin_url}/?x=1`, title: 'CTO' },
    ]
    const skipped = [{ index: 1, code: 'duplicate_profile', message: expect.stringContaining('Row 0') }]
    const body = { rows: twice, on_conflict: 'update' as const }
    const answer = await call(AddDatasetRows, { as: owner, params: { dataset_id }, body })
    expect(answer.body).toEqual({ added: 0, updated: 1, skipped })
    expect(await add(twice, MONDAY, 'update')).toEqual({ added: 1, updated: 0, skipped })
    expect(await db.datasetRow.findFirst({ where: { dataset_id, lead_index: 3 } })).toMatchObject({
      data: { title: 'CEO' },
    })
  })

  test('who is written to under an address is not written to again once their row has another', async () => {
    const { owner, dataset_id, add, leads } = await scene()
    await send(MONDAY)
    const email = (await leads()).items[0]?.email ?? ''
    const place = { dataset_id, lead_index: '0' }
    await call(EditDatasetRow, { as: owner, params: place, body: { data: { email: 'moved@example.com' } } })
    expect((await add([{ ...CELLS, email }])).skipped[0]?.code).toBe('already_in_campaign')
  })

  test('whose row was removed before anything was sent may come back', async () => {
    const { owner, dataset_id, add, leads } = await scene()
    const email = (await leads()).items[0]?.email ?? ''
    await call(RemoveDatasetRow, { as: owner, params: { dataset_id, lead_index: '0' } })
    expect((await add([{ ...CELLS, email }])).added).toBe(1)
    expect((await send(MONDAY)).filter((address) => address === email)).toHaveLength(1)
  })
})

describe('a campaign that has nobody left', () => {
  test('goes on when it was completed, and says why', async () => {
    const { add, campaign, params } = await scene({ steps_config: [FIRST] })
    await send(MONDAY)
    expect((await campaign()).status).toBe('completed')
    await add([{ email: 'no-one' }], days(1))
    expect((await campaign()).status).toBe('completed')
    await add([{ ...CELLS, email: 'late@example.com' }], days(1))
    expect(await campaign()).toMatchObject({ status: 'active', completed_at: null, next_slot_at: days(1) })
    const { reason } = await db.campaignEvent.findFirstOrThrow({ where: { ...params, kind: 'reopened' } })
    expect(reason).toBe('Leads were added.')
    expect(await send(days(1))).toEqual(['late@example.com'])
    expect((await campaign()).status).toBe('completed')
  })

  test('stays paused where it was paused, and resumes to them', async () => {
    const { add, campaign, params } = await scene({ steps_config: [FIRST] })
    await db.campaign.update({ where: params, data: { status: 'paused', paused_from: 'draining' } })
    await add([{ email: 'late@example.com' }])
    expect(await campaign()).toMatchObject({ status: 'paused', paused_from: 'active', next_slot_at: null })
  })

  test('409 while it is being launched, and nothing is kept', async () => {
    const { owner, params, rowCount } = await scene()
    await db.campaign.update({ where: params, data: { status: 'launching' } })
    const body = { rows: [{ email: 'late@example.com' }] }
    const { status, error } = await call(AddCampaignLeads, { as: owner, params, body })
    expect([status, error.detail]).toEqual([409, 'invalid_state'])
    expect(await rowCount()).toBe(3)
  })
})

test('a draft takes rows into its dataset, whose launch enrols them', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, [{ email: 'here@example.com' }])
  const params = { campaign_id: (await aCampaign(owner, { dataset_id })).campaign_id }
  await call(AddSuppressions, { as: owner, body: { value: 'no@example.com', reason: 'asked' } })
  const rows = [{ email: 'here@example.com' }, { email: 'no@example.com' }, { email: 'new@example.com' }]
  const { body } = await call(AddCampaignLeads, { as: owner, params, body: { rows } })
  expect([body.added, body.skipped.map(({ code }) => code)]).toEqual([
    1,
    ['already_in_campaign', 'suppressed'],
  ])
  expect(await db.campaignLead.count({ where: params })).toBe(0)
  expect(await db.datasetRow.count({ where: { dataset_id } })).toBe(2)
})

test("another's campaign is 404", async () => {
  const { params } = await scene()
  const body = { rows: [{ email: 'late@example.com' }] }
  expect((await call(AddCampaignLeads, { as: await aUser(), params, body })).status).toBe(404)
})

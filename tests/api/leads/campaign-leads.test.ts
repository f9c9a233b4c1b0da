import { expect, test } from 'vitest'
import { ListDatasetRows } from '#lib/contracts/datasets/datasets'
import { ListCampaignLeads } from '#lib/contracts/leads/campaign-leads'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aCampaign, aDataset, anEnrolledLead, aUser } from '#tests/support/scenes/factories'

/** Three enrolled people, in an order different from their dataset's. */
async function enrolled() {
  const owner = await aUser()
  const people = ['ann@example.com', 'bob_b@example.com', 'cid@example.net'].map((email) => ({
    email,
    company: 'X',
  }))
  const { dataset_id } = await aDataset(owner, people)
  const { campaign_id } = await aCampaign(owner, { dataset_id })
  for (const lead_index of [2, 0, 1]) {
    const email = people[lead_index]?.email ?? ''
    await anEnrolledLead(owner, { campaign_id, email, lead_index })
  }
  const emails = async (query: Record<string, string | number> = {}) => {
    const { body } = await call(ListCampaignLeads, { as: owner, params: { campaign_id }, query })
    return body.items.map((lead) => lead.email)
  }
  return { owner, campaign_id, emails }
}

test('a lead shows its row and where it stands', async () => {
  const { owner, campaign_id } = await enrolled()
  const { status, body } = await call(ListCampaignLeads, { as: owner, params: { campaign_id } })
  expect(status).toBe(200)
  expect(body).toMatchObject({ total: 3, page: 1, page_size: 20 })
  expect(body.items[0]).toEqual({
    campaign_lead_id: expect.any(String),
    lead_index: 0,
    email: 'ann@example.com',
    data: { email: 'ann@example.com', company: 'X' },
    status: 'active',
    current_step: 1,
    next_action_at: '2100-01-01T00:00:00.000Z',
    last_event: null,
    last_event_at: null,
    reason: null,
    reason_detail: null,
    timezone: null,
    timezone_source: null,
    waits_for: null,
  })
})

test('leads stand in the order of the dataset, page by page', async () => {
  const { emails } = await enrolled()
  expect(await emails({ page_size: 2 })).toEqual(['ann@example.com', 'bob_b@example.com'])
  expect(await emails({ page_size: 2, page: 2 })).toEqual(['cid@example.net'])
  expect(await emails({ page: 9 })).toEqual([])
})

test('search finds part of a name or of a company, too, in any case; a name as it is written', async () => {
  const owner = await aUser()
  const people: { email: string; [field: string]: string }[] = [
    { email: 'a@example.com', first_name: 'Ada', last_name: 'Lovelace', company: 'Engines & Co' },
    { email: 'b@example.com', full_name: 'Jörg ÜBER', company: '50% off' },
    { email: 'c@lovelace.example', title: 'Adam of Engines' },
  ]
  const { dataset_id } = await aDataset(owner, people)
  const { campaign_id } = await aCampaign(owner, { dataset_id })
  for (const [lead_index, { email }] of people.entries())
    await anEnrolledLead(owner, { campaign_id, email, lead_index })
  const params = { campaign_id }
  const found = async (search: string, moreRows: number[] = []) => {
    const query = { search, sort: '-lead_index' } as const
    const leads = (await call(ListCampaignLeads, { as: owner, params, query })).body
    const rows = (await call(ListDatasetRows, { as: owner, params: { dataset_id }, query: { search } })).body
    const places = rows.items.map(({ lead_index }) => lead_index)
    expect(rows.total).toBe(places.length)
    const inBoth = places.filter((place) => !moreRows.includes(place))
    expect(leads.items.map(({ lead_index }) => lead_index)).toEqual(inBoth.toReversed())
    expect(leads.total).toBe(inBoth.length)
    return places
  }
  expect(await found('LOVELACE')).toEqual([0, 2])
  expect(await found('ada love')).toEqual([0])
  // The search covers every cell of a row.
  expect(await found('engines', [2])).toEqual([0, 2])
  expect(await found('jörg über')).toEqual([1])
  expect(await found('0% o')).toEqual([1])
  expect(await found('%ada%')).toEqual([])
  const second = { search: 'lovelace', page: 2, page_size: 1 }
  expect(
    (await call(ListDatasetRows, { as: owner, params: { dataset_id }, query: second })).body,
  ).toMatchObject({
    total: 2,
    items: [{ lead_index: 2 }],
  })
})

test('search finds part of an address, in any case, and takes no wildcards', async () => {
  const { emails } = await enrolled()
  expect(await emails({ search: 'EXAMPLE.COM' })).toEqual(['ann@example.com', 'bob_b@example.com'])
  expect(await emails({ search: '_' })).toEqual(['bob_b@example.com'])
  expect(await emails({ search: '%' })).toEqual([])
})

test('status picks the leads that have it', async () => {
  const { campaign_id, emails } = await enrolled()
  await db.campaignLead.updateMany({
    where: { campaign_id, lead_index: 1 },
    data: { status: 'replied', next_action_at: null, next_step: null },
  })
  expect(await emails({ status: 'replied' })).toEqual(['bob_b@example.com'])
  expect(await emails({ status: 'pending' })).toEqual([])
})

test('a campaign that is not launched has no leads yet', async () => {
  const owner = await aUser()
  const { body } = await call(ListCampaignLeads, { as: owner, params: await aCampaign(owner) })
  expect(body).toEqual({ items: [], total: 0, page: 1, page_size: 20 })
})

test('every lead is in one state, and in a paused campaign those that are not through are paused', async () => {
  const { campaign_id, emails } = await enrolled()
  await db.campaignLead.updateMany({
    where: { campaign_id, lead_index: 1 },
    data: { status: 'bounced', next_action_at: null, next_step: null },
  })
  expect(await emails({ state: 'in_progress' })).toEqual(['ann@example.com', 'cid@example.net'])
  expect(await emails({ state: 'error' })).toEqual(['bob_b@example.com'])
  expect(await emails({ state: 'paused' })).toEqual([])
  await db.campaign.update({ where: { campaign_id }, data: { status: 'paused', paused_from: 'active' } })
  expect(await emails({ state: 'in_progress' })).toEqual([])
  expect(await emails({ state: 'paused' })).toEqual(['ann@example.com', 'cid@example.net'])
  expect(await emails({ state: 'error' })).toEqual(['bob_b@example.com'])
})

test('sort orders the whole list before it is paged, and leads without the instant come last', async () => {
  const { campaign_id, emails } = await enrolled()
  const due = (lead_index: number, next_action_at: Date | null) =>
    db.campaignLead.updateMany({ where: { campaign_id, lead_index }, data: { next_action_at } })
  await due(0, null)
  await due(1, new Date('2100-02-02'))
  await due(2, new Date('2100-01-01'))
  const [ann, bob, cid] = ['ann@example.com', 'bob_b@example.com', 'cid@example.net']
  expect(await emails({ sort: 'next_action_at' })).toEqual([cid, bob, ann])
  expect(await emails({ sort: '-next_action_at' })).toEqual([bob, cid, ann])
  expect(await emails({ sort: '-email', page_size: 1, page: 3 })).toEqual([ann])
  expect(await emails({ sort: '-lead_index' })).toEqual([cid, bob, ann])
})

import { expect, test } from 'vitest'
import { ListCampaigns } from '#lib/contracts/campaigns/campaigns'
import { ListReportLinks } from '#lib/contracts/campaigns/report-links'
import { ListDatasetRejects } from '#lib/contracts/datasets/datasets'
import { CreateDomain, ListDomains } from '#lib/contracts/domains/domains'
import { CreateWebhook, ListWebhooks } from '#lib/contracts/telling/webhooks'
import { ListMembers } from '#lib/contracts/workspaces/members'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aCampaign, aDataset, aUser } from '#tests/support/scenes/factories'
import { aMember } from '#tests/support/scenes/team'

const at = (day: number) => new Date(Date.UTC(2026, 0, day))

test('campaigns are sorted by status, and by leads with those that have none yet last', async () => {
  const owner = await aUser()
  for (const [name, data] of [
    ['none', { status: 'draft' }],
    ['few', { status: 'completed', total_leads: 3 }],
    ['many', { status: 'active', total_leads: 30 }],
  ] as const) {
    const { campaign_id } = await aCampaign(owner, { name })
    await db.campaign.update({ where: { campaign_id }, data })
  }
  const by = async (sort: string) => {
    const { body } = await call(ListCampaigns, { as: owner, query: { sort } })
    return body.campaigns.map(({ name }) => name)
  }
  expect(await by('status')).toEqual(['none', 'many', 'few'])
  expect(await by('total_leads')).toEqual(['few', 'many', 'none'])
  expect(await by('-total_leads')).toEqual(['many', 'few', 'none'])
})

test('refused rows are sorted by column, value and reason, among equals as in the file', async () => {
  const owner = await aUser()
  const { workspace_id } = owner
  const { dataset_id } = await aDataset(owner)
  const rows = [
    { row_number: 2, column_name: 'Email', value: 'zoe', code: 'invalid_email' },
    { row_number: 3, column_name: null, value: null, code: 'missing_email' },
    { row_number: 4, column_name: 'City', value: 'long', code: 'cell_too_long' },
    { row_number: 5, column_name: 'Email', value: 'ada', code: 'invalid_email' },
  ]
  for (const row of rows)
    await db.datasetReject.create({ data: { workspace_id, dataset_id, reason: 'Not good.', ...row } })
  const by = async (query: Record<string, string>) => {
    const { status, body } = await call(ListDatasetRejects, { as: owner, params: { dataset_id }, query })
    expect(status).toBe(200)
    return body.items.map(({ row_number }) => row_number)
  }
  expect(await by({})).toEqual([2, 3, 4, 5])
  expect(await by({ sort: '-row_number' })).toEqual([5, 4, 3, 2])
  expect(await by({ sort: 'column_name' })).toEqual([4, 2, 5, 3])
  expect(await by({ sort: 'value' })).toEqual([5, 4, 2, 3])
  expect(await by({ sort: 'code', page: '2', page_size: '2' })).toEqual([5, 3])
})

test('members are sorted by name in any case, role and when they joined, over pages', async () => {
  const owner = await aUser()
  const { workspace_id } = owner
  await db.member.updateMany({ where: { workspace_id }, data: { created_at: at(2) } })
  const people = { [owner.user_id]: 'zoe' }
  for (const [name, role, day] of [
    ['Bo', 'viewer', 1],
    ['ada', 'admin', 3],
  ] as const) {
    const { user_id } = await aMember(owner, role)
    await db.member.updateMany({ where: { workspace_id, user_id }, data: { created_at: at(day) } })
    people[user_id] = name
  }
  for (const [user_id, name] of Object.entries(people))
    await db.user.update({ where: { user_id }, data: { name } })
  const by = async (query: Record<string, string>) => {
    const { body } = await call(ListMembers, { as: owner, params: { workspace_id }, query })
    expect(body.total).toBe(3)
    return body.items.map(({ name }) => name)
  }
  expect(await by({})).toEqual(['zoe', 'ada', 'Bo'])
  expect(await by({ sort: 'name' })).toEqual(['ada', 'Bo', 'zoe'])
  expect(await by({ sort: '-role' })).toEqual(['Bo', 'ada', 'zoe'])
  expect(await by({ sort: 'created_at', page: '2', page_size: '2' })).toEqual(['ada'])
})

test('webhooks are sorted by address, state, events and when they were made', async () => {
  const owner = await aUser()
  for (const [name, events, data] of [
    ['b', ['lead.replied'], { enabled: false, disabled_reason: 'user' }],
    ['a', ['lead.replied', 'lead.bounced'], {}],
    ['c', undefined, { failing_since: at(1) }],
  ] as const) {
    const url = `https://${name}.example.com/`
    const { body } = await call(CreateWebhook, {
      as: owner,
      body: { url, ...(events && { event_types: [...events] }) },
    })
    await db.webhook.update({ where: { webhook_id: body.webhook_id }, data })
  }
  const by = async (query: Record<string, string>) => {
    const { body } = await call(ListWebhooks, { as: owner, query })
    return body.items.map(({ url }) => url.at('https://'.length))
  }
  expect(await by({})).toEqual(['c', 'a', 'b'])
  expect(await by({ sort: 'url' })).toEqual(['a', 'b', 'c'])
  expect(await by({ sort: 'state' })).toEqual(['b', 'c', 'a'])
  expect(await by({ sort: '-events', page: '1', page_size: '2' })).toEqual(['c', 'a'])
})

test('domains are sorted by name, status and when they are looked up next', async () => {
  const owner = await aUser()
  for (const [name, status, day] of [
    ['b', 'verified', 1],
    ['a', 'pending', 3],
    ['c', 'failed', 2],
  ] as const) {
    const domain = `${name}-${owner.workspace_id.slice(-8)}.example.com`
    const { body } = await call(CreateDomain, { as: owner, body: { domain } })
    const data = { status, next_check_at: at(day) }
    await db.mailDomain.update({ where: { domain_id: body.domain_id }, data })
  }
  const by = async (query: Record<string, string>) => {
    const { body } = await call(ListDomains, { as: owner, query })
    return body.items.map(({ domain }) => domain[0])
  }
  expect(await by({})).toEqual(['c', 'a', 'b'])
  expect(await by({ sort: 'domain' })).toEqual(['a', 'b', 'c'])
  expect(await by({ sort: '-next_check_at' })).toEqual(['a', 'c', 'b'])
  expect((await by({ sort: 'status' })).toSorted()).toEqual(['a', 'b', 'c'])
})

test('report links are sorted by name in any case, by how often they were opened, and by their end; unopened ones last', async () => {
  const owner = await aUser()
  const { user_id, workspace_id } = owner
  for (const [name, open_count, day] of [
    ['beta', 2, 5],
    ['Alpha', 0, 9],
    ['gamma', 7, 7],
  ] as const)
    await db.reportLink.create({
      data: {
        user_id,
        workspace_id,
        name,
        digest: `${workspace_id}-${name}`,
        open_count,
        last_opened_at: open_count > 0 ? at(day) : null,
        expires_at: at(day),
      },
    })
  const by = async (query: Record<string, string>) => {
    const { body } = await call(ListReportLinks, { as: owner, query })
    return body.items.map(({ name }) => name)
  }
  expect(await by({ sort: 'name' })).toEqual(['Alpha', 'beta', 'gamma'])
  expect(await by({ sort: '-open_count' })).toEqual(['gamma', 'beta', 'Alpha'])
  expect(await by({ sort: '-last_opened_at' })).toEqual(['gamma', 'beta', 'Alpha'])
  expect(await by({ sort: 'expires_at', page: '2', page_size: '2' })).toEqual(['Alpha'])
})

import { beforeEach, expect, test } from 'vitest'
import { ListPeople } from '#lib/contracts/leads/people'
import { CreateView, DeleteView, ListViews, UpdateView } from '#lib/contracts/leads/views'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { anEnrolledLead, aUser } from '#tests/support/scenes/factories'
import { aMember } from '#tests/support/scenes/team'

let owner: Awaited<ReturnType<typeof aUser>>
beforeEach(async () => {
  owner = await aUser()
})

const save = (body: object, as: { workspace_id: string; user_id: string } = owner) =>
  call(CreateView, { as, body })
const names = async (as: { workspace_id: string; user_id: string } = owner) =>
  (await call(ListViews, { as })).body.items.map(({ name }) => name)

test('filters are kept under a name for everybody in the workspace, and given back as a query gives them', async () => {
  const made = await save({
    name: ' Replied in Germany ',
    filters: { replied: 'true', country: 'Germany', tag: '' },
  })
  expect([made.status, made.body]).toMatchObject([
    201,
    { name: 'Replied in Germany', filters: { replied: 'true', country: 'Germany' }, version: 1 },
  ])
  await save({
    name: 'Quiet',
    filters: { not_contacted_in_days: '90', last_contacted_before: '2026-11-01T10:00:00+01:00' },
  })
  const viewer = await aMember(owner, 'viewer')
  const { body } = await call(ListViews, { as: viewer })
  expect(body).toMatchObject({
    total: 2,
    items: [
      {
        name: 'Quiet',
        filters: { not_contacted_in_days: 90, last_contacted_before: '2026-11-01T09:00:00.000Z' },
      },
      { name: 'Replied in Germany' },
    ],
  })
  expect((await save({ name: 'Mine', filters: {} }, viewer)).status).toBe(403)
  expect(await names(await aUser())).toEqual([])
})

test.each([
  [{ name: '', filters: {} }, 'name'],
  [{ name: ' ', filters: {} }, 'name'],
  [{ name: 'x'.repeat(81), filters: {} }, 'name'],
  [{ name: 'A' }, 'filters'],
  [{ name: 'A', filters: { page: '2' } }, 'page'],
  [{ name: 'A', filters: { replied: 'perhaps' } }, 'replied'],
  [{ name: 'A', filters: { contacted_in_days: 0 } }, 'contacted_in_days'],
  [{ name: 'A', filters: { workspace_id: crypto.randomUUID() } }, 'workspace_id'],
])('422 %o names the field', async (body, field) => {
  const { status, text } = await save(body)
  expect([status, text]).toEqual([422, expect.stringContaining(field)])
  expect(await names()).toEqual([])
})

test('a name is taken once, also by a new name; a deleted one is free again', async () => {
  const { body: first } = await save({ name: 'First', filters: {} })
  const { body: second } = await save({ name: 'Second', filters: {} })
  expect((await save({ name: 'First', filters: {} })).error.detail).toBe('view_exists')
  const params = { view_id: second.view_id }
  const rename = (name: string, version: number) =>
    call(UpdateView, { as: owner, params, body: { name, version } })
  expect((await rename('First', 1)).error.detail).toBe('view_exists')
  expect((await rename('Third', 1)).body).toMatchObject({ name: 'Third', version: 2 })
  expect((await rename('Fourth', 1)).status).toBe(409)
  expect((await call(DeleteView, { as: owner, params: { view_id: first.view_id } })).status).toBe(204)
  expect((await save({ name: 'First', filters: {} })).status).toBe(201)
  expect(await names()).toEqual(['First', 'Third'])
})

test('two that save one name at once have one view, and 200 are the most', async () => {
  const both = await Promise.all([save({ name: 'One', filters: {} }), save({ name: 'One', filters: {} })])
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
  await db.view.createMany({
    data: Array.from({ length: 199 }, (_, at) => ({
      workspace_id: owner.workspace_id,
      name: `v${at}`,
      filters: {},
    })),
  })
  expect((await save({ name: 'One more', filters: {} })).error.detail).toBe('views_full')
})

test('days are counted from whenever the filter is asked', async () => {
  const NOW = Date.now()
  const contacted = async (days: number | null) => {
    const { campaign_id, campaign_lead_id } = await anEnrolledLead(owner)
    const { workspace_id } = owner
    const { person_id } = await db.person.create({
      data: { workspace_id, email: `${crypto.randomUUID()}@example.com` },
    })
    await db.campaignLead.update({ where: { campaign_lead_id }, data: { person_id } })
    if (days !== null)
      await db.action.create({
        data: {
          ...{ workspace_id, campaign_id, campaign_lead_id, step: 1, channel: 'email', action_type: 'email' },
          ...{ status: 'sent', performed_at: new Date(NOW - days * 86_400_000) },
        },
      })
    return person_id
  }
  const [recent, old, never] = [await contacted(2), await contacted(50), await contacted(null)]
  const found = async (query: Record<string, string>) =>
    (await call(ListPeople, { as: owner, query })).body.items.map(({ person_id }) => person_id)
  expect(await found({ contacted_in_days: '7' })).toEqual([recent])
  expect(await found({ not_contacted_in_days: '7' })).toEqual([old])
  expect(new Set(await found({ contacted_in_days: '60' }))).toEqual(new Set([recent, old]))
  expect(await found({ contacted: 'false' })).toEqual([never])
})

test('a view keeps columns in their order; those of another table, and one that is named twice, are refused', async () => {
  const plain = await save({ name: 'Plain', filters: {} })
  expect(plain.body.columns).toEqual([])
  const { body } = await save({ name: 'By phone', filters: {}, columns: ['phone', 'company'] })
  expect(body.columns).toEqual(['phone', 'company'])
  const params = { view_id: body.view_id }
  const renamed = await call(UpdateView, { as: owner, params, body: { name: 'Calls' } })
  expect(renamed.body.columns).toEqual(['phone', 'company'])
  const changed = await call(UpdateView, { as: owner, params, body: { columns: [] } })
  expect(changed.body).toMatchObject({ name: 'Calls', columns: [] })

  for (const columns of [['sent_count'], ['phone', 'phone'], 'phone'])
    expect((await save({ name: 'Wrong', filters: {}, columns })).status).toBe(422)
  expect(await names()).toEqual(['Calls', 'Plain'])
})

test('the inbox has views of its own, by the same names', async () => {
  const filters = { folder: 'all', intent: 'interested', assignee: 'me', search: 'price' }
  expect((await save({ name: 'Hot', filters: { replied: 'true' } })).status).toBe(201)
  const made = await save({ list: 'inbox', name: 'Hot', filters: { ...filters, label: '' } })
  expect([made.status, made.body]).toMatchObject([201, { list: 'inbox', name: 'Hot', filters, columns: [] }])
  expect((await save({ list: 'inbox', name: 'Hot', filters: {} })).status).toBe(409)
  const { body } = await call(ListViews, { as: owner, query: { list: 'inbox' } })
  expect(body.items).toEqual([made.body])
  expect((await call(ListViews, { as: owner })).body.items).toMatchObject([{ list: 'people', name: 'Hot' }])
})

test('a view is of what its list can be narrowed by', async () => {
  for (const body of [
    { list: 'inbox', name: 'A', filters: { country: 'Germany' } },
    { list: 'people', name: 'A', filters: { folder: 'all' } },
    { name: 'A', filters: { folder: 'all' } },
    { list: 'leads', name: 'A', filters: {} },
    { list: 'inbox', name: 'A', filters: { folder: 'none' } },
  ])
    expect((await save(body)).status, JSON.stringify(body)).toBe(422)
  const { view_id } = (await save({ list: 'inbox', name: 'A', filters: { folder: 'sent' } })).body
  const change = async (body: object) =>
    (await call(UpdateView, { as: owner, params: { view_id }, body })).status
  expect(await change({ filters: { country: 'Germany' } })).toBe(422)
  expect(await change({ columns: ['email'] })).toBe(422)
  expect(await change({ filters: { folder: 'done', label: 'Later' } })).toBe(200)
  expect((await call(ListViews, { as: owner, query: { list: 'inbox' } })).body.items[0]).toMatchObject({
    name: 'A',
    filters: { folder: 'done', label: 'Later' },
  })
})

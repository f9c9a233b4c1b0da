import { expect, test } from 'vitest'
import { ListDatasetRows } from '#lib/contracts/datasets/datasets'
import type { AlsoIn } from '#lib/domain/datasets/also-in'
import { countAlsoIn } from '#lib/services/datasets/also-in'
import { call } from '#tests/support/call'
import { aDataset, anEnrolledLead, aUser } from '#tests/support/scenes/factories'

type User = Awaited<ReturnType<typeof aUser>>

/** The addresses of a list under each filter, with their counts. */
async function listed(owner: User, dataset_id: string, query: Record<string, string | number>) {
  const { status, body } = await call(ListDatasetRows, { as: owner, params: { dataset_id }, query })
  expect(status).toBe(200)
  return [body.total, ...body.items.map(({ email, lead_index }) => `${lead_index} ${email}`)]
}

async function aList() {
  const owner = await aUser()
  const { email = '' } = await anEnrolledLead(owner)
  await aDataset(owner, [{ email: 'ada@example.com' }, { email: 'ben@example.com' }])
  const { dataset_id } = await aDataset(owner, [
    { email: 'ada@example.com', first_name: 'Ada' },
    { email: 'new@example.com', first_name: 'New' },
    { email: email ?? '', first_name: 'Lead' },
    { email: 'ada@example.com', first_name: 'Ada again' },
    { email: null, first_name: 'Nobody' },
  ])
  return { owner, dataset_id, lead: email }
}

test('the duplicates of a list are listed by where else they stand, page by page', async () => {
  const { owner, dataset_id, lead } = await aList()
  const of = (also_in: AlsoIn, more = {}) => listed(owner, dataset_id, { also_in, ...more })
  expect(await of('earlier_row')).toEqual([1, '3 ada@example.com'])
  const elsewhere = ['0 ada@example.com', '3 ada@example.com']
  expect(await of('other_dataset')).toEqual([2, ...elsewhere])
  expect(await of('other_dataset', { page: 2, page_size: 1 })).toEqual([2, elsewhere[1]])
  expect(await of('campaign')).toEqual([1, `2 ${lead}`])
  expect(await of('other_dataset', { search: 'again' })).toEqual([1, '3 ada@example.com'])
  expect(await of('campaign', { search: 'again' })).toEqual([0])
  expect(await countAlsoIn(owner.workspace_id, { dataset_id, row_count: 5 })).toEqual({
    earlier_row: 1,
    other_dataset: 2,
    campaign: 1,
  })
  expect(await countAlsoIn(owner.workspace_id, { dataset_id, row_count: 20_001 })).toBeNull()
})

test('lists and campaigns of other workspaces are none of theirs', async () => {
  const { dataset_id: _, ...theirs } = await aList()
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, [{ email: 'ada@example.com' }, { email: theirs.lead }])
  for (const also_in of ['other_dataset', 'campaign'] as const)
    expect(await listed(owner, dataset_id, { also_in })).toEqual([0])
})

test('what is no such place is refused, and an empty one means all', async () => {
  const { owner, dataset_id } = await aList()
  const { status } = await call(ListDatasetRows, {
    as: owner,
    params: { dataset_id },
    query: { also_in: 'nowhere' },
  })
  expect(status).toBe(422)
  expect((await listed(owner, dataset_id, { also_in: '' }))[0]).toBe(5)
})

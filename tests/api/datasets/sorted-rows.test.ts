import { expect, test } from 'vitest'
import { ListDatasetRows } from '#lib/contracts/datasets/datasets'
import { call } from '#tests/support/call'
import { aDataset, aUser } from '#tests/support/scenes/factories'

type User = Awaited<ReturnType<typeof aUser>>

async function names(owner: User, dataset_id: string, query: Record<string, string | number>) {
  const { status, body } = await call(ListDatasetRows, { as: owner, params: { dataset_id }, query })
  expect(status).toBe(200)
  return [body.total, ...body.items.map(({ data }) => data.first_name)]
}

const ROWS = [
  { email: 'c@example.com', first_name: 'Cleo', seats: '12', note: null },
  { email: 'a@example.com', first_name: 'ada', seats: '9', note: 'zinc' },
  { email: 'd@example.com', first_name: 'Dan', seats: 'many', note: null },
  { email: 'b@example.com', first_name: 'Ben', seats: '-1.5', note: '  ' },
  { email: 'e@example.com', first_name: 'Eve', seats: null, note: 'Alum' },
]

test('rows are sorted by any column: words in any case, numbers by their size before words, empty cells last', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, ROWS)
  const by = (sort: string, more = {}) => names(owner, dataset_id, { sort, ...more })
  expect(await by('first_name')).toEqual([5, 'ada', 'Ben', 'Cleo', 'Dan', 'Eve'])
  expect(await by('-first_name')).toEqual([5, 'Eve', 'Dan', 'Cleo', 'Ben', 'ada'])
  expect(await by('seats')).toEqual([5, 'Ben', 'ada', 'Cleo', 'Dan', 'Eve'])
  expect(await by('-seats')).toEqual([5, 'Cleo', 'ada', 'Ben', 'Dan', 'Eve'])
  expect(await by('note')).toEqual([5, 'Eve', 'ada', 'Cleo', 'Dan', 'Ben'])
  expect(await by('-note')).toEqual([5, 'ada', 'Eve', 'Cleo', 'Dan', 'Ben'])
})

test('pages, searches and duplicates keep the order', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, ROWS)
  await aDataset(owner, [{ email: 'd@example.com' }, { email: 'a@example.com' }])
  const by = (sort: string, more = {}) => names(owner, dataset_id, { sort, ...more })
  expect(await by('first_name', { page: 2, page_size: 2 })).toEqual([5, 'Cleo', 'Dan'])
  expect(await by('first_name', { page: 4, page_size: 2 })).toEqual([5])
  expect(await by('-first_name', { also_in: 'other_dataset' })).toEqual([2, 'Dan', 'ada'])
  expect(await by('-first_name', { search: 'example' })).toEqual([5, 'Eve', 'Dan', 'Cleo', 'Ben', 'ada'])
  expect(await by('first_name', { search: 'example', also_in: 'other_dataset', page_size: 1 })).toEqual([
    2,
    'ada',
  ])
})

test('a name that no column has, and one that is none, leave the order of the file', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, ROWS)
  const file = [5, 'Cleo', 'ada', 'Dan', 'Ben', 'Eve']
  for (const sort of ['gone', '-', "first_name'", ''])
    expect(await names(owner, dataset_id, { sort })).toEqual(file)
})

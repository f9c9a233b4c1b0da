import { expect, test } from 'vitest'
import { ListDatasets } from '#lib/contracts/datasets/datasets'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aDataset, aUser } from '#tests/support/scenes/factories'

test('datasets are sorted by name in any case, leads, refused rows and when they came; a search and pages keep the order', async () => {
  const owner = await aUser()
  const rows = [
    { dataset_name: 'beta list', row_count: 5, reject_count: 0 },
    { dataset_name: 'Alpha list', row_count: 9, reject_count: 2 },
    { dataset_name: 'gamma', row_count: 1, reject_count: 7 },
  ]
  for (const [place, row] of rows.entries()) {
    const { dataset_id } = await aDataset(owner, 0)
    const created_at = new Date(Date.UTC(2026, 0, 1 + place))
    await db.dataset.update({ where: { dataset_id }, data: { ...row, created_at } })
  }
  const by = async (query: Record<string, string>) => {
    const { status, body } = await call(ListDatasets, { as: owner, query })
    expect([status, body.total_count]).toEqual([200, query.search ? 2 : 3])
    return body.datasets.map(({ dataset_name }) => dataset_name[0]?.toLowerCase())
  }
  expect(await by({})).toEqual(['g', 'a', 'b'])
  expect(await by({ sort: 'dataset_name' })).toEqual(['a', 'b', 'g'])
  expect(await by({ sort: '-dataset_name', search: 'LIST' })).toEqual(['b', 'a'])
  expect(await by({ sort: '-row_count' })).toEqual(['a', 'b', 'g'])
  expect(await by({ sort: 'reject_count' })).toEqual(['b', 'a', 'g'])
  expect(await by({ sort: 'created_at', page: '2', page_size: '2' })).toEqual(['g'])
  expect((await call(ListDatasets, { as: owner, query: { sort: 'filename' } })).status).toBe(422)
})

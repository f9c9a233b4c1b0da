import { expect, test } from 'vitest'
import { ListPersonalizationRuns } from '#lib/contracts/personalize/personalize'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aDataset, aPersonalizationRun, aUser } from '#tests/support/scenes/factories'

test('runs are sorted by list in any case, by what came of them and by when they began', async () => {
  const owner = await aUser()
  const run = async (dataset_name: string, count: number, approved_count: number) => {
    const { dataset_id } = await aDataset(owner, 3)
    await db.dataset.update({ where: { dataset_id }, data: { dataset_name } })
    const { run_id } = await aPersonalizationRun(owner, { dataset_id, count })
    await db.personalizationRun.update({ where: { run_id }, data: { approved_count } })
  }
  await run('beta', 3, 0)
  await run('Alpha', 1, 1)
  await run('gamma', 2, 2)
  const by = async (query: Record<string, string>) => {
    const { status, body } = await call(ListPersonalizationRuns, { as: owner, query })
    expect([status, body.total]).toEqual([200, 3])
    return body.items.map(({ dataset_name }) => dataset_name)
  }
  expect(await by({})).toEqual(['gamma', 'Alpha', 'beta'])
  expect(await by({ sort: 'dataset_name' })).toEqual(['Alpha', 'beta', 'gamma'])
  expect(await by({ sort: '-generated_count' })).toEqual(['beta', 'gamma', 'Alpha'])
  expect(await by({ sort: 'approved_count', page: '2', page_size: '2' })).toEqual(['gamma'])
  expect((await call(ListPersonalizationRuns, { as: owner, query: { sort: 'model' } })).status).toBe(422)
})

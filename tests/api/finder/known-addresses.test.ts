import { expect, test } from 'vitest'
import { AddDatasetRows, EditDatasetRow, RemoveDatasetRows } from '#lib/contracts/datasets/dataset-rows'
import { db } from '#lib/db/client'
import { fillTexts } from '#lib/services/datasets/search-texts'
import { loadKnown } from '#lib/services/finder/known-addresses'
import { call } from '#tests/support/call'
import { aDataset, aUser } from '#tests/support/scenes/factories'

const PEOPLE = ['Bob Miller', 'Carol Smith', 'Dave Jones'].map((full_name) => ({
  email: `${full_name.toLowerCase().replace(' ', '.')}@acme.com`,
  full_name,
}))

const known = async ({ workspace_id }: { workspace_id: string }, domain = 'acme.com') =>
  (await loadKnown(workspace_id, domain)).people.map(({ email }) => email)

test('the people of a domain are known by rows and by the texts of rows alike, whatever becomes of the rows', async () => {
  const owner = await aUser()
  const other = await aUser()
  const { dataset_id } = await aDataset(owner, [
    ...PEOPLE,
    { email: 'zoe@fresh.com', full_name: 'Zoe Zappa' },
  ])
  const all = PEOPLE.map(({ email }) => email)
  expect(await known(owner)).toEqual(all)
  await fillTexts(dataset_id)
  expect(await db.dataset.findUnique({ where: { dataset_id } })).toMatchObject({ searched_to: 4 })
  expect(await known(owner)).toEqual(all)
  expect(await known(other)).toEqual([])

  const row = (lead_index: number) => ({ dataset_id, lead_index: String(lead_index) })
  await call(EditDatasetRow, { as: owner, params: row(0), body: { data: { email: 'bob@fresh.com' } } })
  await call(RemoveDatasetRows, { as: owner, params: { dataset_id }, body: { lead_indexes: [1] } })
  const rows = [{ email: 'erin.brown@acme.com', full_name: 'Erin Brown' }]
  await call(AddDatasetRows, { as: owner, params: { dataset_id }, body: { rows } })
  expect(await known(owner)).toEqual(['dave.jones@acme.com', 'erin.brown@acme.com'])
  expect(await known(owner, 'fresh.com')).toEqual(['bob@fresh.com', 'zoe@fresh.com'])
})

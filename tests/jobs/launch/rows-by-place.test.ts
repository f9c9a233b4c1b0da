import { expect, test } from 'vitest'
import { pool } from '#lib/db/client'
import { rowsByPlace } from '#lib/services/datasets/rows-by-place'
import { aDataset, aUser } from '#tests/support/scenes/factories'

type Plan = { 'Index Name'?: string; 'Rows Removed by Filter'?: number; Plans?: Plan[] }

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

test('a batch reads its own rows alone, of a list that Postgres has no statistics of', async () => {
  const owner = await aUser()
  await aDataset(owner, 5_000)
  await pool().query('ANALYZE dataset_rows')
  const { dataset_id } = await aDataset(owner, 3_000)
  const batch = rowsByPlace(`'${dataset_id}'`, 'r.lead_index >= 1000 AND r.lead_index < 1100')
  const { rows } = await pool().query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) SELECT r.lead_index, r.email FROM ${batch} r`,
  )
  const nodes = nodesOf(rows[0]?.['QUERY PLAN'][0]?.Plan ?? {})
  expect(nodes.flatMap((node) => node['Index Name'] ?? [])).toEqual(['dataset_rows_pkey'])
  expect(nodes.reduce((sum, node) => sum + (node['Rows Removed by Filter'] ?? 0), 0)).toBe(0)
})

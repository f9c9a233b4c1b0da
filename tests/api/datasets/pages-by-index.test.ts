import pg, { type QueryConfig } from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { ListDatasetRows } from '#lib/contracts/datasets/datasets'
import { ListCampaignLeads } from '#lib/contracts/leads/campaign-leads'
import { pool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import { call } from '#tests/support/call'
import { aCampaign, aDataset, aUser } from '#tests/support/scenes/factories'

const LEADS = 3_000
const PAGE = 20

afterEach(() => {
  vi.restoreAllMocks()
})

type Plan = { 'Relation Name'?: string; 'Actual Rows': number; 'Actual Loops': number; Plans?: Plan[] }

const rowsRead = (table: string, { Plans = [], ...node }: Plan): number =>
  (node['Relation Name'] === table ? node['Actual Rows'] * node['Actual Loops'] : 0) +
  Plans.reduce((sum, plan) => sum + rowsRead(table, plan), 0)

/** How many rows of a table the list statement reads that `list` runs, by a plan made for any page. */
async function readFor(table: string, list: () => Promise<unknown>): Promise<number> {
  const asked = vi.spyOn(pool(), 'query')
  await list()
  const statements: unknown[] = asked.mock.calls.map(([statement]) => statement)
  const isList = (statement: unknown): statement is QueryConfig<string[]> =>
    typeof statement === 'object' &&
    statement !== null &&
    'text' in statement &&
    `${statement.text}`.includes('page.*')
  const [{ text, values = [] } = { text: '' }] = statements.filter(isList)
  return inTransaction(pool(), async (client) => {
    await client.query('SET LOCAL plan_cache_mode = force_generic_plan')
    await client.query(`PREPARE list_page AS ${text}`)
    const literals = values.map((value) => pg.escapeLiteral(`${value}`))
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE list_page (${literals.join(', ')})`,
    )
    await client.query('DEALLOCATE list_page')
    return rowsRead(
      table,
      rows[0]?.['QUERY PLAN'][0]?.Plan ?? { 'Actual Rows': Number.NaN, 'Actual Loops': 1 },
    )
  })
}

/** A dataset and a campaign over it, of which Postgres has no statistics yet. */
async function fresh() {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, LEADS)
  const { campaign_id } = await aCampaign(owner, { dataset_id })
  await pool().query(
    `INSERT INTO campaign_leads (campaign_id, workspace_id, dataset_id, lead_index, email, status)
     SELECT $1, workspace_id, dataset_id, lead_index, email, 'pending' FROM dataset_rows WHERE dataset_id = $2`,
    [campaign_id, dataset_id],
  )
  return { owner, dataset_id, campaign_id }
}

test('a page of leads or rows is read by its index, whatever Postgres expects of a new list', async () => {
  const { owner, dataset_id, campaign_id } = await fresh()
  const query = { page: 3, page_size: PAGE }
  const leads = await readFor('campaign_leads', () =>
    call(ListCampaignLeads, { as: owner, params: { campaign_id }, query }),
  )
  expect(leads).toBeLessThanOrEqual(2 * PAGE)
  const rows = await readFor('dataset_rows', () =>
    call(ListDatasetRows, { as: owner, params: { dataset_id }, query }),
  )
  expect(rows).toBeLessThanOrEqual(2 * PAGE)
})

import { beforeAll, expect, test } from 'vitest'
import type { Contract } from '#lib/contracts/contract'
import { exampleRequest } from '#lib/contracts/reference'
import { db, pool } from '#lib/db/client'
import { operations } from '#lib/operations/all'
import { call } from '#tests/support/call'
import { aCampaign, aDataset, aUser } from '#tests/support/scenes/factories'
import { COLUMNS, ownedColumns, untiedOf } from '#tests/support/statements/every-statement'
import { type Columns, untied } from '#tests/support/statements/judge'
import { recordStatements } from '#tests/support/statements/record'
import { idsIn, type Sent } from '#tests/support/statements/watch'
import { BODIES, paramsFor, type User } from '#tests/support/walk/one-of-each'

// Set before any module reads the environment: the sandbox's operations answer where there is one.
process.env.SANDBOX_SMTP_PORT = '1025'
// One owner calls every writing operation within seconds.
process.env.RATE_LIMIT_WRITE = '100000'

let columns: Columns
let owner: User
beforeAll(async () => {
  const { rows } = await pool().query<{ name: string; columns: string[] }>(COLUMNS)
  columns = ownedColumns(rows)
  owner = await aUser({ tier: 'scale' })
})

/** The statements that do not restrict their rows to an owner; `asked` are the ids that the request brought. */
const findUntied = (sent: Sent[], asked: string[]) =>
  untiedOf({ sent, asked, known: [owner.workspace_id, owner.user_id] }, columns)

function requestOf(contract: Contract) {
  const { query, body } = exampleRequest(contract)
  return { query, body: BODIES[contract.id] ?? (body === null ? undefined : JSON.parse(body)) }
}

const contracts = operations.map(({ contract }) => contract)

test('there are tables, and operations', () => {
  expect(columns.size).toBeGreaterThan(40)
  expect(contracts.length).toBeGreaterThan(150)
})

test.each(contracts)('$id says of every row whose it is', async (contract) => {
  const params = await paramsFor(contract, owner)
  const request = requestOf(contract)
  const { sent } = await recordStatements(() => call(contract, { as: owner, params, ...request }))
  expect(await findUntied(sent, idsIn([params, request]))).toEqual([])
})

test('a copy says whose its rows are', async () => {
  const judge = (text: string) => untied(text, columns, () => true)
  expect(await judge('COPY dataset_rows (dataset_id, workspace_id) FROM STDIN')).toEqual([])
  expect(await judge('COPY dataset_rows (dataset_id) FROM STDIN')).toEqual(['INSERT INTO dataset_rows'])
  expect(await judge('COPY dataset_rows (dataset_id, workspace_id) TO STDOUT')).toEqual(['dataset_rows'])
})

test('a statement that forgets the workspace is found, of Prisma and of SQL, in a transaction and out of it', async () => {
  const { campaign_id } = await aCampaign(owner)
  const { dataset_id } = await aDataset(owner)
  const { workspace_id } = owner
  const forgetful = [
    () => db.campaign.findUnique({ where: { campaign_id } }),
    () => db.campaign.findFirst({ where: { OR: [{ workspace_id }, { campaign_id }] } }),
    () => db.campaign.count(),
    () => db.$transaction((tx) => tx.campaign.update({ where: { campaign_id }, data: { name: 'Mine' } })),
    () => pool().query('DELETE FROM datasets WHERE dataset_id = $1', [dataset_id]),
    () =>
      pool().query('SELECT FROM campaigns c JOIN datasets d ON true WHERE c.workspace_id = $1', [
        workspace_id,
      ]),
    () =>
      pool().query('WITH a AS (SELECT * FROM datasets) SELECT FROM a WHERE workspace_id = $1', [
        workspace_id,
      ]),
  ]
  const asked = [campaign_id, dataset_id]
  for (const forget of forgetful)
    expect(await findUntied((await recordStatements<unknown>(forget)).sent, asked)).toHaveLength(1)
  const careful = [
    () => db.campaign.findFirst({ where: { campaign_id, workspace_id }, include: { dataset: true } }),
    () =>
      pool().query(
        'SELECT FROM campaigns JOIN datasets USING (dataset_id) WHERE campaigns.workspace_id = $1',
        [workspace_id],
      ),
  ]
  for (const care of careful)
    expect(await findUntied((await recordStatements<unknown>(care)).sent, asked)).toEqual([])
})

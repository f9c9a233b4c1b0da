import { expect, test } from 'vitest'
import { ImportDatasetRejects } from '#lib/contracts/datasets/dataset-rows'
import { ListDatasetRejects, ListDatasetRows, ReadDataset } from '#lib/contracts/datasets/datasets'
import { ImportSpreadsheet } from '#lib/contracts/datasets/uploads'
import { db } from '#lib/db/client'
import { MAX_CELL_CHARS } from '#lib/domain/datasets/cells'
import { importRows } from '#lib/services/datasets/import'
import { exportRejects } from '#lib/services/datasets/reject-export'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'

const CSV = `E-mail,First name,City
ada@example.com,Ada,London
bob(at)example.com,Bob,Bonn
,Cleo,Cairo
ada@example.com,Dan,Delft
`

type Body = Record<string, unknown>

/** A file of which one row was kept and three were refused, for three different reasons. */
async function scene(csv = CSV) {
  const owner = await aUser()
  const file = new File([csv], 'leads.csv', { type: 'text/csv' })
  const { body } = await call(ImportSpreadsheet, { as: owner, body: { file } })
  const { dataset_id, session_id } = body
  await importRows(dataset_id, session_id ?? '', new Date())
  const params = { dataset_id }
  return {
    owner,
    params,
    fix: (rows: Body[]) => call(ImportDatasetRejects, { as: owner, params, body: { rows } }),
    rejects: async () => (await call(ListDatasetRejects, { as: owner, params })).body,
    rows: async () => (await call(ListDatasetRows, { as: owner, params })).body,
    dataset: async () => (await call(ReadDataset, { as: owner, params })).body,
  }
}

test('refused rows keep their other cells, and a fixed one becomes a row with all of them', async () => {
  const { fix, rejects, rows, dataset } = await scene()
  expect((await rejects()).items.map(({ row_number, code, data }) => [row_number, code, data])).toEqual([
    [3, 'invalid_email', { first_name: 'Bob', city: 'Bonn' }],
    [4, 'missing_email', { first_name: 'Cleo', city: 'Cairo' }],
    [5, 'duplicate_email', { first_name: 'Dan', city: 'Delft' }],
  ])
  const { status, body } = await fix([
    // Keyed by the column name of the file.
    { row_number: 3, data: { 'E-mail': 'Bob@Example.com' } },
    { row_number: 5, data: { email: 'dan@example.com', city: 'Leiden' } },
  ])
  expect([status, body]).toEqual([200, { added: 2, updated: 0, skipped: [] }])
  expect((await rows()).items.slice(1)).toMatchObject([
    {
      lead_index: 1,
      email: 'bob@example.com',
      data: { email: 'bob@example.com', first_name: 'Bob', city: 'Bonn' },
    },
    {
      lead_index: 2,
      email: 'dan@example.com',
      data: { email: 'dan@example.com', first_name: 'Dan', city: 'Leiden' },
    },
  ])
  expect((await rejects()).items.map(({ row_number }) => row_number)).toEqual([4])
  // Rows in the file = rows kept + rows refused, as before.
  expect(await dataset()).toMatchObject({ row_count: 3, reject_count: 1 })
})

test('what is still wrong stays refused, each with its reason, and the rest goes in', async () => {
  const { fix, rejects, dataset } = await scene()
  const { body } = await fix([
    { row_number: 3, data: { email: 'bob at example' } },
    { row_number: 4, data: { first_name: 'Cleopatra' } },
    { row_number: 5, data: { email: 'ada@example.com' } },
  ])
  expect(body.added).toBe(0)
  expect(body.skipped.map(({ index, code }) => [index, code])).toEqual([
    [0, 'invalid_email'],
    [1, 'missing_email'],
    [2, 'duplicate_email'],
  ])
  expect((await rejects()).total).toBe(3)
  expect(await dataset()).toMatchObject({ row_count: 1, reject_count: 3 })
  expect((await fix([{ row_number: 4, data: { email: 'cleo@example.com' } }])).body.added).toBe(1)
})

test('a row that was refused for a cell that is too long keeps its address, and is imported with it', async () => {
  const { fix, rejects, rows } = await scene(`E-mail,First name,Notes
Ada@Example.com,Ada,${'x'.repeat(MAX_CELL_CHARS + 1)}
`)
  expect((await rejects()).items).toMatchObject([
    { row_number: 2, cell: 'C2', code: 'too_long', data: { email: 'Ada@Example.com', first_name: 'Ada' } },
  ])
  expect((await fix([{ row_number: 2, data: { Notes: 'short' } }])).body).toMatchObject({ added: 1 })
  expect((await rows()).items).toMatchObject([
    { email: 'ada@example.com', data: { email: 'ada@example.com', first_name: 'Ada', notes: 'short' } },
  ])
})

test('404 for a row that was not refused or is imported by now, and nothing of the request is done', async () => {
  const { fix, dataset } = await scene()
  const both = [
    { row_number: 3, data: { email: 'bob@example.com' } },
    { row_number: 2, data: { email: 'new@example.com' } },
  ]
  expect(await fix(both)).toMatchObject({ status: 404 })
  expect(await dataset()).toMatchObject({ row_count: 1, reject_count: 3 })
  expect((await fix(both.slice(0, 1))).status).toBe(200)
  expect((await fix(both.slice(0, 1))).status).toBe(404)
})

test('404 for another’s dataset, 422 for a row that is named twice, 409 while a session works on it', async () => {
  const { params, fix } = await scene()
  const fixed = { row_number: 3, data: { email: 'bob@example.com' } }
  const body = { rows: [fixed] }
  expect((await call(ImportDatasetRejects, { as: await aUser(), params, body })).status).toBe(404)
  expect((await fix([fixed, fixed])).status).toBe(422)
  await db.datasetSession.updateMany({ where: params, data: { status: 'processing' } })
  expect((await fix([fixed])).status).toBe(409)
})

test('refused rows are exported as the file had them, so that a mended file can be imported', async () => {
  const { owner, params } = await scene()
  const { filename, parts } = await exportRejects(owner.workspace_id, params.dataset_id, { format: 'csv' })
  const chunks: Uint8Array[] = []
  for await (const part of parts) chunks.push(part)
  const text = Buffer.concat(chunks).toString('utf8')
  expect(text.split(/\r?\n/)).toEqual([
    '\uFEFFE-mail,First name,City,row,cell,column,reason',
    'bob(at)example.com,Bob,Bonn,3,A3,E-mail,There is no @ in it.',
    ',Cleo,Cairo,4,A4,E-mail,The row has no email address.',
    'ada@example.com,Dan,Delft,5,A5,E-mail,Row 2 already has this address.',
    '',
  ])
  const file = new File([text.replace('bob(at)', 'bob@')], filename, { type: 'text/csv' })
  const { body } = await call(ImportSpreadsheet, { as: owner, body: { file } })
  await importRows(body.dataset_id, body.session_id ?? '', new Date())
  const again = await call(ListDatasetRows, { as: owner, params: { dataset_id: body.dataset_id } })
  expect(again.body.items[0]).toMatchObject({
    email: 'bob@example.com',
    data: { first_name: 'Bob', city: 'Bonn' },
  })
})

import { expect, test } from 'vitest'
import * as XLSX from 'xlsx'
import {
  DeleteDataset,
  ListDatasetRejects,
  ListDatasetRows,
  ListDatasets,
  ReadDataset,
  RenameDataset,
} from '#lib/contracts/datasets/datasets'
import { ImportSpreadsheet, PreviewSpreadsheet } from '#lib/contracts/datasets/uploads'
import { db } from '#lib/db/client'
import { importRows } from '#lib/services/datasets/import'
import { demoWorkbook } from '#lib/services/sandbox/demo-workbook'
import { call } from '#tests/support/call'
import { aCampaign, aUser } from '#tests/support/scenes/factories'

const csv = (text: string, name = 'leads.csv') => new File([text], name, { type: 'text/csv' })
const people = csv(
  'Email,First name,City\nada@example.com,Ada,London\nbroken,Bob,Paris\nada@example.com,Ada again,Rome\n',
)

async function imported(
  owner: { workspace_id: string; user_id: string },
  body: Record<string, string | File> = { file: people },
) {
  const answer = await call(ImportSpreadsheet, { as: owner, body })
  const { dataset_id, session_id } = answer.body
  await importRows(dataset_id, session_id ?? '', new Date())
  return { answer, params: { dataset_id } }
}

test('a preview shows every sheet, finds the header row and stores nothing', async () => {
  const owner = await aUser()
  const { filename, bytes, sheet } = demoWorkbook()
  const file = new File([new Uint8Array(bytes)], filename)
  const { status, body } = await call(PreviewSpreadsheet, { as: owner, body: { file } })
  expect(status).toBe(200)
  expect(body.total_sheets).toBe(Object.keys(body.sheets).length)
  const main = body.sheets[sheet]
  expect(main?.header_row).toBeGreaterThan(1)
  expect(main?.sample_rows).toHaveLength(5)
  expect(Object.values(main?.suggested_mapping ?? {})).toContain('email')
  expect((await call(ListDatasets, { as: owner })).body.total_count).toBe(0)
})

test.each([
  ['an empty file', new File([], 'empty.xlsx'), /empty/],
  ['bytes of nothing', new File([new Uint8Array([0, 1, 2, 3, 255])], 'x.xlsx'), /spreadsheet/],
])('400 says what is wrong with %s', async (_, file, reason) => {
  const { status, error } = await call(PreviewSpreadsheet, { as: await aUser(), body: { file } })
  expect(status).toBe(400)
  expect(error.detail).toMatch(reason)
})

test('202 queues; then rows in = rows kept + rows refused, each with its reason and cell', async () => {
  const owner = await aUser()
  const { answer, params } = await imported(owner)
  expect(answer.status).toBe(202)
  expect(answer.body).toMatchObject({
    dataset_name: 'leads.csv',
    status: 'queued',
    source_type: 'csv',
    leads_count: 3,
  })

  const { body } = await call(ReadDataset, { as: owner, params })
  expect(body).toMatchObject({
    status: 'completed',
    row_count: 1,
    reject_count: 2,
    processed_count: 3,
    failed_count: 2,
    progress_percentage: 100,
  })
  const rows = await call(ListDatasetRows, { as: owner, params })
  expect(rows.body.items).toEqual([
    {
      lead_index: 0,
      email: 'ada@example.com',
      version: 1,
      data: { email: 'ada@example.com', first_name: 'Ada', city: 'London' },
    },
  ])
  const rejects = await call(ListDatasetRejects, { as: owner, params })
  expect(rejects.body.items.map(({ cell, code, value }) => [cell, code, value])).toEqual([
    ['A3', 'invalid_email', 'broken'],
    ['A4', 'duplicate_email', 'ada@example.com'],
  ])
  expect(await db.upload.count({ where: { dataset_id: params.dataset_id } })).toBe(0)
})

test('the messy workbook is accounted for to the row', async () => {
  const owner = await aUser()
  const { filename, bytes, sheet, expected } = demoWorkbook()
  const { params } = await imported(owner, { file: new File([new Uint8Array(bytes)], filename), sheet })
  const { body } = await call(ReadDataset, { as: owner, params })
  expect(body.row_count).toBe(expected.kept)
  expect(body.row_count + body.reject_count).toBe(expected.rows)
})

test('of tabs that are called by numbers the first with rows is taken', async () => {
  const owner = await aUser()
  const book = XLSX.utils.book_new()
  for (const [name, email] of [
    ['Leads', 'ada@example.com'],
    ['2026', 'old@example.com'],
  ] as const)
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([['Email'], [email]]), name)
  const bytes = new Uint8Array(XLSX.write(book, { type: 'array', bookType: 'xlsx' }))
  const { params } = await imported(owner, { file: new File([bytes], 'leads.xlsx') })
  const { items } = (await call(ListDatasetRows, { as: owner, params })).body
  expect(items).toMatchObject([{ email: 'ada@example.com' }])
})

test('a file that an earlier release kept in the database is still brought in', async () => {
  const owner = await aUser()
  const filename = 'kept.csv'
  const { dataset_id, sessions } = await db.dataset.create({
    data: {
      workspace_id: owner.workspace_id,
      dataset_name: filename,
      source_type: 'csv',
      sessions: { create: { workspace_id: owner.workspace_id, filename } },
      upload: {
        create: {
          workspace_id: owner.workspace_id,
          filename,
          sheet: 'kept',
          mapping: { Email: 'email' },
          bytes: new TextEncoder().encode('Email,City\nada@example.com,London\n'),
        },
      },
    },
    include: { sessions: true },
  })
  expect(await importRows(dataset_id, sessions[0]?.session_id ?? '', new Date())).toMatchObject({ kept: 1 })
})

test('an import that ends while it is asked about is never completed without its rows', async () => {
  const owner = await aUser()
  const { params } = await imported(owner)
  const ended = (row_count: number, status: 'processing' | 'completed') =>
    db.$transaction([
      db.dataset.update({ where: params, data: { row_count } }),
      db.datasetSession.updateMany({ where: params, data: { status } }),
    ])
  let isOver = false
  const changes = (async () => {
    for (let time = 0; time < 100; time++) {
      await ended(0, 'processing')
      await ended(1, 'completed')
    }
    isOver = true
  })()
  const answers = new Set<string>()
  while (!isOver) {
    const { body } = await call(ReadDataset, { as: owner, params })
    const { body: all } = await call(ListDatasets, { as: owner })
    for (const { status, row_count } of [body, ...all.datasets]) answers.add(`${status} ${row_count}`)
  }
  await changes
  expect([...answers].filter((answer) => !['processing 0', 'completed 1'].includes(answer))).toEqual([])
})

test('an import that runs twice brings each row in once', async () => {
  const owner = await aUser()
  const { answer, params } = await imported(owner)
  expect(await importRows(params.dataset_id, answer.body.session_id ?? '', new Date())).toBeNull()
  expect(await db.datasetRow.count({ where: params })).toBe(1)
})

test.each([
  ['sheet', { file: people, sheet: 'Nowhere' }],
  ['mapping', { file: people, mapping: '{"Nope":"email"}' }],
  ['mapping', { file: people, mapping: 'not json' }],
  ['mapping', { file: csv('Name\nAda\n') }],
  ['file', { dataset_name: 'none' }],
])('422 names %s, and nothing is kept', async (field, body) => {
  const owner = await aUser()
  const { status, error } = await call(ImportSpreadsheet, { as: owner, body })
  expect(status).toBe(422)
  expect(error.details[0].loc.slice(0, 2)).toEqual(['body', field])
  expect((await call(ListDatasets, { as: owner })).body.total_count).toBe(0)
})

test('a given mapping wins over the suggested one', async () => {
  const owner = await aUser()
  const { params } = await imported(owner, { file: people, mapping: '{"Email":"email","City":"company"}' })
  const { body } = await call(ListDatasetRows, { as: owner, params })
  expect(body.items[0]?.data).toEqual({ email: 'ada@example.com', first_name: 'Ada', company: 'London' })
})

test('renames, and refuses an empty name', async () => {
  const owner = await aUser()
  const { params } = await imported(owner)
  const renamed = await call(RenameDataset, { as: owner, params, body: { dataset_name: 'Leads of May' } })
  expect(renamed.body).toMatchObject({ ...params, dataset_name: 'Leads of May' })
  expect((await call(RenameDataset, { as: owner, params, body: { dataset_name: '' } })).status).toBe(422)
  expect((await call(ListDatasets, { as: owner, query: { search: 'of may' } })).body.total_count).toBe(1)
})

test('409 deleting a dataset that a campaign names; 204 once it is free', async () => {
  const owner = await aUser()
  const { params } = await imported(owner)
  const campaign = await aCampaign(owner, params)
  expect((await call(DeleteDataset, { as: owner, params })).error.detail).toBe('dataset_in_use')
  await db.campaign.delete({ where: { campaign_id: campaign.campaign_id } })
  expect((await call(DeleteDataset, { as: owner, params })).status).toBe(204)
  expect((await call(ReadDataset, { as: owner, params })).status).toBe(404)
})

import { expect, test } from 'vitest'
import { AddDatasetRows, EditDatasetRow } from '#lib/contracts/datasets/dataset-rows'
import { ListDatasetRows, ReadDataset } from '#lib/contracts/datasets/datasets'
import { CheckUpload, PreviewUpload } from '#lib/contracts/datasets/uploads'
import { call } from '#tests/support/call'
import { aDataset, aUser } from '#tests/support/scenes/factories'
import { anUpload, importedUpload, put } from '#tests/support/scenes/uploads'

const SHEET = new TextEncoder().encode(
  '__proto__,constructor,prototype\nada@example.com,Ada,One\nbob@example.com,Bob,Two\n',
)
const NAMES = ['__proto__', 'constructor', 'prototype']

async function putSheet(owner: Awaited<ReturnType<typeof aUser>>) {
  const upload = await anUpload(owner, SHEET.length)
  await put(upload, SHEET)
  return upload.upload_id
}

test('columns named as parts of objects are in a preview, are mapped, checked and imported', async () => {
  const owner = await aUser()
  const upload_id = await putSheet(owner)
  const asked = { as: owner, params: { upload_id } }
  const { body, text } = await call(PreviewUpload, asked)
  const [sheet] = Object.values(body.sheets)
  expect(sheet?.columns.map(({ name }) => name)).toEqual(NAMES)
  expect(sheet?.sample_rows.map((row) => Object.entries(row))).toEqual([
    [
      ['__proto__', 'ada@example.com'],
      ['constructor', 'Ada'],
      ['prototype', 'One'],
    ],
    [
      ['__proto__', 'bob@example.com'],
      ['constructor', 'Bob'],
      ['prototype', 'Two'],
    ],
  ])
  expect(Object.entries(sheet?.suggested_mapping ?? {})).toContainEqual(['__proto__', 'email'])
  expect(text).toContain('"__proto__":"ada@example.com"')
  const mapping = JSON.parse('{"__proto__":"email","constructor":"first_name"}')
  const check = await call(CheckUpload, { ...asked, body: { mapping } })
  expect(check.body).toMatchObject({ kept: 2, refused: [] })
  const { dataset_id } = await importedUpload(owner, upload_id, { mapping })
  const rows = await call(ListDatasetRows, { as: owner, params: { dataset_id } })
  expect(rows.body.items.map(({ data }) => data)).toEqual([
    { email: 'ada@example.com', first_name: 'Ada', prototype: 'One' },
    { email: 'bob@example.com', first_name: 'Bob', prototype: 'Two' },
  ])
})

test('and so are those whose mapping is the suggested one', async () => {
  const owner = await aUser()
  const { dataset_id } = await importedUpload(owner, await putSheet(owner), {})
  const rows = await call(ListDatasetRows, { as: owner, params: { dataset_id } })
  expect(rows.body.items.map(({ email, data }) => [email, data])).toEqual([
    ['ada@example.com', expect.objectContaining({ constructor: 'Ada', prototype: 'One' })],
    ['bob@example.com', expect.objectContaining({ constructor: 'Bob', prototype: 'Two' })],
  ])
})

test('rows that are added or edited keep them', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, 1)
  const params = { dataset_id }
  const cells = '{"email":"ada@example.com","__proto__":"a","constructor":"b","prototype":"c"}'
  const added = await call(AddDatasetRows, { as: owner, params, body: `{"rows":[${cells}]}` })
  expect(added.body).toMatchObject({ added: 1, skipped: [] })
  const { body } = await call(ReadDataset, { as: owner, params })
  expect(body.columns.slice(-3)).toEqual([
    { name: '__proto__', key: 'proto' },
    { name: 'constructor', key: 'constructor' },
    { name: 'prototype', key: 'prototype' },
  ])
  const edited = await call(EditDatasetRow, {
    as: owner,
    params: { ...params, lead_index: '1' },
    body: '{"data":{"__proto__":"d"}}',
  })
  expect(edited.body.data).toEqual({
    email: 'ada@example.com',
    proto: 'd',
    constructor: 'b',
    prototype: 'c',
  })
  const wrong = await call(AddDatasetRows, { as: owner, params, body: '{"rows":[{"__proto__":{"a":1}}]}' })
  expect([wrong.status, wrong.error.details?.[0]?.loc]).toEqual([422, ['body', 'rows', '0', '__proto__']])
})

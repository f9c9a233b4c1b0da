import * as fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { DeleteDataset, ListDatasets, ReadDataset } from '#lib/contracts/datasets/datasets'
import { CheckUpload, CreateUpload, ImportUpload, PreviewUpload } from '#lib/contracts/datasets/uploads'
import { db, pool } from '#lib/db/client'
import { removeStrays } from '#lib/services/files/files'
import { fileStorage } from '#lib/services/files/storage'
import { forgetUploads } from '#lib/services/files/uploads'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'
import { folder } from '#tests/support/scenes/posts'
import { anUpload, importedUpload, PEOPLE, put } from '#tests/support/scenes/uploads'

const HOUR = 3_600_000
const MIB = 1024 * 1024

const filesThere = () => {
  const there = path.join(folder, 'files/uploads')
  return fs.existsSync(there) ? fs.readdirSync(there) : []
}

test('a file is put to its address, judged, imported, and gone once its rows are in', async () => {
  const owner = await aUser()
  const upload = await anUpload(owner)
  const { upload_id } = upload
  const asked = { as: owner, params: { upload_id } }
  const early = await call(PreviewUpload, asked)
  expect([early.status, early.error.detail]).toEqual([409, 'upload_missing'])
  expect((await put(upload)).status).toBe(204)

  const preview = await call(PreviewUpload, asked)
  expect(preview.body).toMatchObject({ filename: 'leads.csv', total_sheets: 1 })
  const check = await call(CheckUpload, {
    ...asked,
    body: { mapping: { Email: 'email', 'First name': null } },
  })
  expect(check.body).toMatchObject({ kept: 2, refused: [{ code: 'invalid_email', count: 1 }] })
  expect((await call(ListDatasets, { as: owner })).body.total_count).toBe(0)

  const { asked: answer, dataset_id } = await importedUpload(owner, upload_id)
  expect([answer.status, answer.body.status]).toEqual([202, 'queued'])
  const { body } = await call(ReadDataset, { as: owner, params: { dataset_id } })
  expect(body).toMatchObject({ status: 'completed', row_count: 2, reject_count: 1, source_type: 'csv' })
  expect(filesThere()).toEqual([])
  expect(await db.upload.count({ where: { dataset_id } })).toBe(0)
  // The import used the upload up.
  for (const operation of [PreviewUpload, CheckUpload, ImportUpload])
    expect((await call(operation, { ...asked, body: {} })).status).toBe(404)
})

test('an address takes one file, no more than was announced, and no other for it afterwards', async () => {
  const owner = await aUser()
  const upload = await anUpload(owner, 10)
  const large = await put(upload, new Uint8Array(11))
  expect([large.status, (await large.json()).detail]).toEqual([400, 'body_too_large'])
  const endless = new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(4)) })
  const { PUT } = await import('../../../app/(public)/files/uploads/[token]/route.ts')
  const token = upload.url.split('/').at(-1) ?? ''
  const request = new Request(upload.url, { method: 'PUT', body: endless, duplex: 'half' } as RequestInit)
  expect((await PUT(request, { params: Promise.resolve({ token }) })).status).toBe(400)
  expect(filesThere()).toEqual([])

  expect((await put(upload, new Uint8Array(10))).status).toBe(204)
  const again = await put(upload, new Uint8Array(9))
  expect([again.status, (await again.json()).detail]).toEqual([409, 'grant_invalid'])
  const preview = await call(PreviewUpload, { as: owner, params: { upload_id: upload.upload_id } })
  expect([preview.status, preview.error.detail]).toEqual([400, 'not_a_spreadsheet'])
})

test('an address that was altered, or has run out, takes nothing', async () => {
  const owner = await aUser()
  const upload = await anUpload(owner)
  const before = filesThere()
  const last = upload.url.at(-1) === 'A' ? 'B' : 'A'
  for (const url of [`${upload.url.slice(0, -1)}${last}`, `${upload.url}A`, upload.url.replace('p1.', 'f1.')])
    expect((await put({ ...upload, url })).status).toBe(409)
  await db.uploadedFile.deleteMany({ where: { upload_id: upload.upload_id } })
  expect((await put(upload)).status).toBe(409)
  expect(filesThere()).toEqual(before)
})

test('the limit is 25 MiB, and said', async () => {
  const owner = await aUser()
  const ask = (size_bytes: number) =>
    call(CreateUpload, { as: owner, body: { filename: 'leads.xlsx', size_bytes } })
  expect((await ask(25 * MIB)).status).toBe(201)
  const { status, error } = await ask(25 * MIB + 1)
  expect([status, error.details]).toEqual([
    422,
    [{ loc: ['body', 'size_bytes'], msg: expect.stringContaining('25 MiB'), type: 'too_big' }],
  ])
})

test('20 files wait at a time, and an imported one waits no more', async () => {
  const owner = await aUser()
  const first = await anUpload(owner)
  for (let i = 1; i < 20; i++) await anUpload(owner)
  const body = { filename: 'one-more.csv', size_bytes: 1 }
  const refused = await call(CreateUpload, { as: owner, body })
  expect([refused.status, refused.error.detail]).toEqual([429, 'rate_limited'])
  await put(first)
  await importedUpload(owner, first.upload_id)
  expect((await call(CreateUpload, { as: owner, body })).status).toBe(201)
})

test('of 30 that are announced at once, 20 are taken', async () => {
  const owner = await aUser()
  const body = { filename: 'one-of-many.csv', size_bytes: 1 }
  const answers = await Promise.all(Array.from({ length: 30 }, () => call(CreateUpload, { as: owner, body })))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
})

test('what nobody imported is forgotten after two hours, and its file with it', async () => {
  const owner = await aUser()
  const upload = await anUpload(owner)
  await put(upload)
  const { upload_id } = upload
  await forgetUploads(new Date(Date.now() + HOUR))
  expect(await db.uploadedFile.count({ where: { upload_id } })).toBe(1)
  const later = new Date(Date.now() + 2 * HOUR + 1_000)
  await forgetUploads(later)
  await removeStrays(pool(), fileStorage, later)
  expect(await db.uploadedFile.count({ where: { upload_id } })).toBe(0)
  expect(filesThere()).toEqual([])
})

test('a file put there again after its import goes too', async () => {
  const owner = await aUser()
  const upload = await anUpload(owner)
  await put(upload)
  const kept = await db.uploadedFile.findUniqueOrThrow({ where: { upload_id: upload.upload_id } })
  await importedUpload(owner, upload.upload_id)
  // As a storage with its own upload endpoint would accept it, for as long as the address is valid.
  await fileStorage().put(kept.location, PEOPLE, 'text/csv')
  await removeStrays(pool(), fileStorage, new Date(Date.now() + HOUR))
  expect(filesThere()).toEqual([])
})

test('a dataset that is deleted before its rows are in takes its file along', async () => {
  const owner = await aUser()
  const upload = await anUpload(owner)
  await put(upload)
  const { upload_id } = upload
  const { body } = await call(ImportUpload, { as: owner, params: { upload_id }, body: {} })
  expect(filesThere()).toHaveLength(1)
  await call(DeleteDataset, { as: owner, params: { dataset_id: body.dataset_id } })
  await removeStrays(pool(), fileStorage, new Date(Date.now() + HOUR))
  expect(filesThere()).toEqual([])
})

test('the first rows of a long file are told of without counts; a check reads all of it, and says what is wrong there', async () => {
  const owner = await aUser()
  const rows = Array.from({ length: 2_000 }, (_, n) => `lead${n}@a.example,Lead ${n}\n`).join('')
  const text = `Email,Name\n${rows}broken@a.example,"never closed\n`
  const upload = await anUpload(owner, text.length)
  expect((await put(upload, new TextEncoder().encode(text))).status).toBe(204)
  const asked = { as: owner, params: { upload_id: upload.upload_id } }

  const first = await call(PreviewUpload, { ...asked, query: { rows: 'first' } })
  expect(first.status).toBe(200)
  expect(first.body.sheets.leads).toMatchObject({
    row_count: null,
    columns: [
      { name: 'Email', filled_count: null },
      { name: 'Name', filled_count: null },
    ],
    suggested_mapping: { Email: 'email' },
  })
  const damaged = [400, 'spreadsheet_damaged']
  const check = await call(CheckUpload, { ...asked, body: {} })
  expect([check.status, check.error.detail]).toEqual(damaged)
  const whole = await call(PreviewUpload, asked)
  expect([whole.status, whole.error.detail]).toEqual(damaged)
  const imported = await call(ImportUpload, { ...asked, body: {} })
  expect([imported.status, imported.error.detail]).toEqual(damaged)
  const other = await call(PreviewUpload, { ...asked, query: { rows: 'some' as 'all' } })
  expect(other.status).toBe(422)
})

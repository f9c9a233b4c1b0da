import { afterAll, afterEach, expect, test } from 'vitest'
import { ImportUpload, PreviewUpload } from '#lib/contracts/datasets/uploads'
import { db } from '#lib/db/client'
import { createS3Storage } from '#lib/providers/storage/s3'
import { importRows } from '#lib/services/datasets/import'
import { uploadPrefix } from '#lib/services/files/storage'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'
import { anUpload, importedUpload, PEOPLE, put } from '#tests/support/scenes/uploads'
import { createS3Server } from '#tests/support/servers/s3'

const s3 = await createS3Server()
afterAll(() => s3.close())
afterEach(() => {
  s3.files.clear()
  s3.trouble.cut_after = Number.POSITIVE_INFINITY
})
// Set before any module reads the environment.
Object.assign(process.env, {
  S3_BUCKET: s3.options.bucket,
  S3_ENDPOINT: s3.options.endpoint,
  S3_REGION: s3.options.region,
  S3_ACCESS_KEY_ID: s3.options.access_key_id,
  S3_SECRET_ACCESS_KEY: s3.options.secret_access_key,
  S3_DIRECT_UPLOADS: '1',
})

test('a file goes to the bucket past the instance, is imported from there, and gone once its rows are in', async () => {
  const owner = await aUser()
  const upload = await anUpload(owner)
  expect(upload.url.startsWith(`${s3.options.endpoint}/files/uploads/`)).toBe(true)
  expect(upload.url.startsWith(`${uploadPrefix()}`)).toBe(true)
  expect(JSON.stringify(upload)).not.toContain(s3.options.secret_access_key)
  expect((await put(upload)).status).toBe(200)
  expect([...s3.files.values()]).toMatchObject([{ type: 'application/octet-stream' }])
  const { outcome } = await importedUpload(owner, upload.upload_id)
  expect(outcome).toMatchObject({ kept: 2, refused: 1 })
  expect(s3.files.size).toBe(0)
})

const stateOf = async (dataset_id: string, session_id: string) => ({
  rows: await db.datasetRow.count({ where: { dataset_id } }),
  ...(await db.datasetSession.findUniqueOrThrow({
    where: { session_id },
    select: { status: true, error: true },
  })),
})

test('a file that is cut off while it is read leaves nothing half written, and is read when it is tried again', async () => {
  const owner = await aUser()
  const { upload_id, ...address } = await anUpload(owner)
  await put(address)
  s3.trouble.cut_after = 10
  const asked = { as: owner, params: { upload_id } }
  const preview = await call(PreviewUpload, asked)
  expect([preview.status, preview.error.detail]).toEqual([503, 'storage_unavailable'])
  s3.trouble.cut_after = Number.POSITIVE_INFINITY
  const { body } = await call(ImportUpload, { ...asked, body: {} })
  const session_id = body.session_id ?? ''
  const tried = () => importRows(body.dataset_id, session_id, new Date())
  s3.trouble.cut_after = 10
  await expect(tried()).rejects.toMatchObject({ code: 'storage_unavailable' })
  expect(await stateOf(body.dataset_id, session_id)).toEqual({ rows: 0, status: 'processing', error: null })
  expect(s3.files.size).toBe(1)
  s3.trouble.cut_after = Number.POSITIVE_INFINITY
  expect(await tried()).toMatchObject({ kept: 2, refused: 1 })
  expect(s3.files.size).toBe(0)
})

test('a file that vanished ends its import with the reason', async () => {
  const owner = await aUser()
  const { upload_id, ...address } = await anUpload(owner)
  await put(address)
  const { body } = await call(ImportUpload, { as: owner, params: { upload_id }, body: {} })
  s3.files.clear()
  expect(await importRows(body.dataset_id, body.session_id ?? '', new Date())).toBeNull()
  expect(await stateOf(body.dataset_id, body.session_id ?? '')).toEqual({
    rows: 0,
    status: 'failed',
    error: 'The uploaded file is gone. Upload it again.',
  })
})

test('the address takes one file of its size and type, once, and nothing under another name', async () => {
  const upload = await anUpload(await aUser())
  const other = new URL(upload.url)
  other.pathname = '/files/posts/another.png'
  expect((await put({ ...upload, url: other.href })).status).toBe(403)
  const longer = upload.url.replace('X-Amz-Expires=1800', 'X-Amz-Expires=86400')
  expect(longer).not.toBe(upload.url)
  expect((await put({ ...upload, url: longer })).status).toBe(403)
  const page = { ...upload.headers, 'content-type': 'text/html' }
  expect((await put({ ...upload, headers: page })).status).toBe(403)
  for (const size of [PEOPLE.length + 1, PEOPLE.length - 1])
    expect((await put(upload, new Uint8Array(size))).status).toBe(403)
  const { 'content-type': type = '' } = upload.headers
  expect((await put({ ...upload, headers: { 'content-type': type } })).status).toBe(403)
  expect((await fetch(upload.url)).status).toBe(403)
  expect(s3.files.size).toBe(0)
  expect((await put(upload)).status).toBe(200)
  expect((await put(upload)).status).toBe(412)
  s3.files.clear()
})

test('an address takes nothing once its time is over', async () => {
  const { incoming } = createS3Storage({ ...s3.options, direct_uploads: true })
  if (incoming.by !== 'address') throw new Error('It has no door of its own.')
  const now = new Date(Date.now() - 60_000)
  const until = (seconds: number) => new Date(now.getTime() + seconds * 1_000)
  const sign = (seconds: number) =>
    incoming.sign('uploads/a.bin', { max_bytes: PEOPLE.length, now, until: until(seconds) })
  expect((await put(await sign(59))).status).toBe(403)
  expect((await put(await sign(120))).status).toBe(200)
  s3.files.clear()
})

test('what was put there is judged by its bytes, as far as it was announced', async () => {
  const owner = await aUser()
  const upload = await anUpload(owner)
  await put(upload, new Uint8Array(PEOPLE.length).fill(7))
  const asked = { as: owner, params: { upload_id: upload.upload_id } }
  const noSheet = await call(PreviewUpload, asked)
  expect([noSheet.status, noSheet.error.detail]).toEqual([400, 'not_a_spreadsheet'])
  for (const file of s3.files.values()) file.bytes = Buffer.alloc(PEOPLE.length + 1)
  const tooLarge = await call(PreviewUpload, asked)
  expect([tooLarge.status, tooLarge.error.detail]).toEqual([400, 'body_too_large'])
})

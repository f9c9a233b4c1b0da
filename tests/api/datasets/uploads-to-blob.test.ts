import { afterAll, expect, test } from 'vitest'
import { PreviewUpload } from '#lib/contracts/datasets/uploads'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'
import { anUpload, importedUpload, PEOPLE, put } from '#tests/support/scenes/uploads'
import { aBlobStore, BLOB_TOKEN } from '#tests/support/servers/blob'

// Set before any module reads the environment.
const store = await aBlobStore()
process.env.BLOB_READ_WRITE_TOKEN = BLOB_TOKEN
process.env.VERCEL_BLOB_API_URL = store.url
process.env.VERCEL_BLOB_RETRIES = '0'
afterAll(() => store.close())

test('a file goes to the store past the instance, is imported from there, and gone once its rows are in', async () => {
  const owner = await aUser()
  const upload = await anUpload(owner)
  expect(upload.url.startsWith(`${store.url}/?`)).toBe(true)
  expect(upload.url).not.toContain(BLOB_TOKEN)
  expect((await put(upload)).status).toBe(200)
  expect([...store.files.values()]).toMatchObject([{ type: 'application/octet-stream', access: 'private' }])
  const { outcome } = await importedUpload(owner, upload.upload_id)
  expect(outcome).toMatchObject({ kept: 2, refused: 1 })
  expect(store.files.size).toBe(0)
})

test('the address takes one file of its size and type, once, and nothing under another name', async () => {
  const owner = await aUser()
  const upload = await anUpload(owner)
  const other = new URL(upload.url)
  other.searchParams.set('pathname', 'posts/another.png')
  const larger = new URL(upload.url)
  larger.searchParams.set('vercel-blob-maximum-size-in-bytes', '1000000')
  for (const url of [other.href, larger.href]) expect((await put({ ...upload, url })).status).toBe(403)
  const page = { ...upload.headers, 'x-content-type': 'text/html' }
  expect((await put({ ...upload, headers: page })).status).toBe(403)
  expect((await put(upload, new Uint8Array(PEOPLE.length + 1))).status).toBe(403)
  expect(store.files.size).toBe(0)
  expect((await put(upload)).status).toBe(200)
  expect((await put(upload)).status).toBe(403)
  store.files.clear()
})

test('a file in the store that is larger than was announced is not read on', async () => {
  const owner = await aUser()
  const upload = await anUpload(owner)
  await put(upload)
  for (const file of store.files.values()) file.bytes = Buffer.alloc(PEOPLE.length + 1)
  const { status, error } = await call(PreviewUpload, { as: owner, params: { upload_id: upload.upload_id } })
  expect([status, error.detail]).toEqual([400, 'body_too_large'])
  store.files.clear()
})

test('a file that is cut off while it is read is 503, and whole the next time', async () => {
  const owner = await aUser()
  const upload = await anUpload(owner)
  await put(upload)
  const asked = { as: owner, params: { upload_id: upload.upload_id } }
  store.cutOff(10)
  const cut = await call(PreviewUpload, asked)
  expect([cut.status, cut.error.detail]).toEqual([503, 'storage_unavailable'])
  store.cutOff(Number.POSITIVE_INFINITY)
  expect((await call(PreviewUpload, asked)).status).toBe(200)
  store.files.clear()
})

test('a store that is away is 503, and what waits is not lost by it', async () => {
  const owner = await aUser()
  const upload = await anUpload(owner)
  await put(upload)
  store.breakDown(true)
  await expect(anUpload(owner)).rejects.toThrow('storage_unavailable')
  const asked = { as: owner, params: { upload_id: upload.upload_id } }
  expect((await call(PreviewUpload, asked)).status).toBe(503)
  store.breakDown(false)
  expect((await call(PreviewUpload, asked)).status).toBe(200)
})

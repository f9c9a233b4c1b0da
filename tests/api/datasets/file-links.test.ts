import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { ReadDataset } from '#lib/contracts/datasets/datasets'
import {
  CheckUpload,
  CreateDatasetFromUrl,
  CreateUpload,
  CreateUploadFromUrl,
  PreviewUpload,
} from '#lib/contracts/datasets/uploads'
import { importRows } from '#lib/services/datasets/import'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'
import { importedUpload, PEOPLE } from '#tests/support/scenes/uploads'

process.env.ALLOW_PRIVATE_HOSTS = 'true'

const FILES: Record<string, string | Uint8Array> = {
  '/people.csv': PEOPLE,
  '/page': '<!doctype html><title>Sign in</title>',
  '/empty': '',
  '/image.csv': Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]),
}
const server = createServer((request, response) => {
  const file = FILES[request.url ?? '']
  if (file === undefined) response.writeHead(404).end()
  else response.end(file)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => server.close())
const at = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`

test('a file behind a link becomes an upload: previewed, checked and imported like one', async () => {
  const owner = await aUser()
  const made = await call(CreateUploadFromUrl, { as: owner, body: { url: at('/people.csv') } })
  const { upload_id } = made.body
  expect([made.status, made.body]).toMatchObject([201, { filename: 'people.csv', size_bytes: PEOPLE.length }])
  const asked = { as: owner, params: { upload_id } }
  expect((await call(PreviewUpload, asked)).body).toMatchObject({ filename: 'people.csv', total_sheets: 1 })
  expect((await call(CheckUpload, { ...asked, body: {} })).body).toMatchObject({ kept: 2 })
  expect((await call(PreviewUpload, { ...asked, as: await aUser() })).status).toBe(404)
  const { dataset_id } = await importedUpload(owner, upload_id)
  const { body } = await call(ReadDataset, { as: owner, params: { dataset_id } })
  expect(body).toMatchObject({ status: 'completed', row_count: 2, reject_count: 1 })
})

test('a dataset is made from a link in one call, by the path of an upload', async () => {
  const owner = await aUser()
  const body = { url: at('/people.csv'), dataset_name: 'From the CRM', mapping: { Email: 'email' as const } }
  const made = await call(CreateDatasetFromUrl, { as: owner, body })
  expect([made.status, made.body]).toMatchObject([202, { dataset_name: 'From the CRM', status: 'queued' }])
  const { dataset_id, session_id } = made.body
  await importRows(dataset_id, session_id ?? '', new Date())
  const read = await call(ReadDataset, { as: owner, params: { dataset_id } })
  expect(read.body).toMatchObject({ status: 'completed', row_count: 2, reject_count: 1 })
})

test.each([
  ['/page', 400, 'link_refused'],
  ['/empty', 400, 'link_refused'],
  ['/nothing', 502, 'link_unreachable'],
  ['/image.csv', 400, 'not_a_spreadsheet'],
])('%s becomes no dataset: %i %s', async (path, status, code) => {
  const refused = await call(CreateDatasetFromUrl, { as: await aUser(), body: { url: at(path) } })
  expect([refused.status, refused.error.detail]).toEqual([status, code])
})

test('an address of another kind is 422, and of files that wait a workspace has twenty', async () => {
  const owner = await aUser()
  for (const url of ['ftp://example.com/a.csv', 'people.csv', 'javascript:alert(1)'])
    expect((await call(CreateUploadFromUrl, { as: owner, body: { url } })).status).toBe(422)
  const announced = { filename: 'a.csv', size_bytes: 10 }
  for (let waiting = 0; waiting < 20; waiting++)
    expect((await call(CreateUpload, { as: owner, body: announced })).status).toBe(201)
  const full = await call(CreateUploadFromUrl, { as: owner, body: { url: at('/people.csv') } })
  expect(full.status).toBe(429)
})

import * as fs from 'node:fs'
import { createServer } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createBlobStorage } from '#lib/providers/storage/blob'
import { createDiskStorage } from '#lib/providers/storage/disk'
import { isKey, StorageTrouble } from '#lib/providers/storage/port'
import { createS3Storage } from '#lib/providers/storage/s3'
import { createS3Server } from '#tests/support/servers/s3'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'opener-files-'))
const TOKEN = 'vercel_blob_rw_store1_secret'
const fake = await aBlobStore()
const s3 = await createS3Server()
process.env.VERCEL_BLOB_API_URL = fake.url
process.env.VERCEL_BLOB_RETRIES = '0'

afterAll(async () => {
  fs.rmSync(folder, { recursive: true })
  await fake.close()
  await s3.close()
})

/** What the driver asks of Vercel's API, kept in memory; it opens nothing without the token. */
async function aBlobStore() {
  const files = new Map<string, { bytes: Buffer; type: string; access: string }>()
  let down = false
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://blob.test')
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const body = Buffer.concat(parts)
    const say = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    const address = `http://127.0.0.1:${port()}`
    const described = (pathname: string) => ({
      url: `${address}/files/${pathname}`,
      downloadUrl: `${address}/files/${pathname}?download=1`,
      pathname,
      contentType: files.get(pathname)?.type,
      contentDisposition: 'inline',
      cacheControl: '',
      size: files.get(pathname)?.bytes.length,
      uploadedAt: new Date(0).toISOString(),
      etag: '"1"',
    })
    if (request.headers.authorization !== `Bearer ${TOKEN}`)
      return say(403, { error: { code: 'forbidden', message: 'no' } })
    if (down) return say(400, { error: { code: 'store_suspended', message: 'down' } })
    if (url.pathname.startsWith('/files/')) {
      const file = files.get(url.pathname.slice('/files/'.length))
      return file ? response.writeHead(200, { 'content-type': file.type }).end(file.bytes) : say(404, {})
    }
    if (request.method === 'PUT') {
      const pathname = url.searchParams.get('pathname') ?? ''
      const type = `${request.headers['x-content-type']}`
      files.set(pathname, { bytes: body, type, access: `${request.headers['x-vercel-blob-access']}` })
      return say(200, described(pathname))
    }
    if (request.method === 'POST') {
      for (const one of JSON.parse(body.toString()).urls) files.delete(one)
      return say(200, {})
    }
    const wanted = url.searchParams.get('url') ?? ''
    return files.has(wanted)
      ? say(200, described(wanted))
      : say(404, { error: { code: 'not_found', message: 'no' } })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = () => {
    const address = server.address()
    return typeof address === 'object' && address ? address.port : 0
  }
  return {
    url: `http://127.0.0.1:${port()}`,
    files,
    breakDown: (isDown: boolean) => {
      down = isDown
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

const bytes = Uint8Array.of(0, 1, 2, 250, 255)
const KEY = 'posts/01900000-0000-7000-8000-000000000000.png'

describe.each([
  ['a folder', () => createDiskStorage(folder)],
  ['Vercel Blob', () => createBlobStorage({ token: TOKEN, access: 'private' })],
  ['S3', () => createS3Storage(s3.options)],
])('%s', (_, make) => {
  test('keeps a file until it is removed, twice if need be', async () => {
    const storage = make()
    expect(await storage.read(KEY)).toBeNull()
    const { location } = await storage.put(KEY, bytes, 'image/png')
    expect(await storage.read(location)).toEqual(bytes)
    await storage.put(KEY, bytes.toReversed(), 'image/png')
    expect(await storage.read(location)).toEqual(bytes.toReversed())
    await storage.remove(location)
    await storage.remove(location)
    expect(await storage.read(location)).toBeNull()
  })

  test.each([
    '../secrets.json',
    '/etc/passwd',
    'posts/../../x.png',
    'posts/..',
    '',
    'posts//x.png',
    '.env',
    'a\0.png',
  ])('takes no key %j', async (key) => {
    expect(isKey(key)).toBe(false)
    await expect(make().put(key, bytes, 'image/png')).rejects.toThrow(StorageTrouble)
  })
})

test('a folder reads and removes nothing outside of it', async () => {
  const storage = createDiskStorage(path.join(folder, 'inner'))
  fs.writeFileSync(path.join(folder, 'secret.png'), 'secret')
  for (const location of ['../secret.png', `${folder}/secret.png`, 'posts/../../secret.png']) {
    await expect(storage.read(location)).rejects.toThrow(StorageTrouble)
    await expect(storage.remove(location)).rejects.toThrow(StorageTrouble)
  }
  expect(fs.existsSync(path.join(folder, 'secret.png'))).toBe(true)
})

test('a folder that cannot be written is trouble, and leaves nothing half written', async () => {
  const file = path.join(folder, 'a-file')
  fs.writeFileSync(file, '')
  await expect(createDiskStorage(file).put(KEY, bytes, 'image/png')).rejects.toThrow(StorageTrouble)
  const rooms = createDiskStorage(path.join(folder, 'rooms'))
  await rooms.put(KEY, bytes, 'image/png')
  expect(fs.readdirSync(path.join(folder, 'rooms/posts'))).toEqual([path.basename(KEY)])
})

test('a blob store that refuses is trouble, never an absent file; files are stored as private as it is', async () => {
  const storage = createBlobStorage({ token: TOKEN, access: 'private' })
  await storage.put(KEY, bytes, 'image/png')
  expect(fake.files.get(KEY)).toMatchObject({ type: 'image/png', access: 'private' })
  fake.breakDown(true)
  await expect(storage.read(KEY)).rejects.toThrow(StorageTrouble)
  await expect(storage.put(KEY, bytes, 'image/png')).rejects.toThrow(StorageTrouble)
  await expect(storage.remove(KEY)).rejects.toThrow(StorageTrouble)
  fake.breakDown(false)
  await expect(
    createBlobStorage({ token: 'vercel_blob_rw_other_x', access: 'private' }).read(KEY),
  ).rejects.toThrow(StorageTrouble)
})

import * as fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createBlobStorage } from '#lib/providers/storage/blob'
import { createDiskStorage } from '#lib/providers/storage/disk'
import { isKey, StorageTrouble } from '#lib/providers/storage/port'
import { createS3Storage } from '#lib/providers/storage/s3'
import { aBlobStore, BLOB_TOKEN as TOKEN } from '#tests/support/servers/blob'
import { createS3Server } from '#tests/support/servers/s3'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'opener-files-'))
const fake = await aBlobStore()
const s3 = await createS3Server()
process.env.VERCEL_BLOB_API_URL = fake.url
process.env.VERCEL_BLOB_RETRIES = '0'

afterAll(async () => {
  fs.rmSync(folder, { recursive: true })
  await fake.close()
  await s3.close()
})

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
    const parts: Uint8Array[] = []
    for await (const part of (await storage.stream(location)) ?? []) parts.push(part)
    expect(new Uint8Array(Buffer.concat(parts))).toEqual(bytes)
    await storage.put(KEY, bytes.toReversed(), 'image/png')
    expect(await storage.read(location)).toEqual(bytes.toReversed())
    await storage.remove(location)
    await storage.remove(location)
    expect(await storage.read(location)).toBeNull()
    expect(await storage.stream(location)).toBeNull()
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

test.each([
  ['a folder', () => createDiskStorage(path.join(folder, 'taken'))],
  ['S3', () => createS3Storage(s3.options)],
])('%s takes a file as it comes: once, as a whole, and none that breaks off', async (_, make) => {
  const storage = make()
  if (storage.incoming.by !== 'us') throw new Error('It has a door of its own.')
  await storage.remove(KEY)
  async function* broken() {
    yield bytes
    throw new Error('The line is cut.')
  }
  await expect(storage.incoming.take(KEY, broken())).rejects.toThrow('The line is cut.')
  expect(await storage.read(KEY)).toBeNull()
  async function* whole() {
    yield bytes
    yield bytes
  }
  expect(await storage.incoming.take(KEY, whole())).toBe(true)
  expect(await storage.incoming.take(KEY, whole())).toBe(false)
  expect(await storage.read(KEY)).toHaveLength(2 * bytes.length)
  expect(fs.readdirSync(path.join(folder, 'taken/posts'))).toEqual([path.basename(KEY)])
})

import { afterAll, afterEach, expect, test } from 'vitest'
import { StorageTrouble } from '#lib/providers/storage/port'
import { createS3Storage } from '#lib/providers/storage/s3'
import { sha256, signatureOf } from '#tests/support/servers/aws-signature'
import { createS3Server, S3_KEYS } from '#tests/support/servers/s3'

const s3 = await createS3Server()
afterAll(() => s3.close())
afterEach(() => {
  s3.files.clear()
  s3.seen.length = 0
  Object.assign(s3.trouble, { busy: 0, cut_after: Number.POSITIVE_INFINITY, refuse_part: 0 })
})

const KEY = 'posts/01900000-0000-7000-8000-000000000000.png'
const storage = createS3Storage({ ...s3.options, part_bytes: 1000 })
const large = Uint8Array.from({ length: 3500 }, (_, at) => at % 251)

test.each([
  ['GET', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  ['POST', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
])('the store of these tests checks a plain %s as the test suite of AWS does', (method, signature) => {
  const signed: [string, string][] = [
    ['host', 'example.amazonaws.com'],
    ['x-amz-date', '20150830T123600Z'],
  ]
  const scope = '20150830/us-east-1/service/aws4_request'
  expect(signatureOf({ method, path: '/', query: '', signed, payload: sha256(''), scope }, S3_KEYS)).toBe(
    signature,
  )
})

test('a large file goes in parts and appears whole, with its type', async () => {
  await storage.put(KEY, large, 'image/png')
  expect(s3.seen.filter((call) => call.startsWith('PUT'))).toHaveLength(4)
  expect(s3.files.get(KEY)).toMatchObject({ bytes: Buffer.from(large), type: 'image/png' })
  expect(await storage.read(KEY)).toEqual(large)
})

test('of an upload that fails nothing stays', async () => {
  s3.trouble.refuse_part = 3
  await expect(storage.put(KEY, large, 'image/png')).rejects.toThrow('The store answered 400 EntityTooSmall')
  expect([s3.files.size, s3.uploads.size]).toEqual([0, 0])
})

test('a store that is busy is asked again', async () => {
  s3.trouble.busy = 3
  await storage.put(KEY, large.subarray(0, 10), 'image/png')
  expect(s3.seen).toHaveLength(4)
  s3.trouble.busy = 4
  await expect(storage.read(KEY)).rejects.toThrow('The store answered 503 SlowDown')
})

test('a read that breaks off is taken up where it was', async () => {
  await storage.put(KEY, large, 'image/png')
  s3.trouble.cut_after = 1500
  expect(await storage.read(KEY)).toEqual(large)
  expect(s3.seen.filter((call) => call.startsWith('GET'))).toHaveLength(3)
})

test('a read that breaks off is never ended with another file', async () => {
  await storage.put(KEY, large, 'image/png')
  s3.trouble.cut_after = 1500
  const reading = storage.read(KEY)
  while (!s3.seen.includes(`GET ${KEY}`)) await new Promise((resolve) => setTimeout(resolve, 1))
  s3.files.set(KEY, { bytes: Buffer.from(large.toReversed()), type: 'image/png' })
  await expect(reading).rejects.toThrow(StorageTrouble)
})

test.each([
  ['keys of another', { secret_access_key: 'another' }, 'The store answered 403 SignatureDoesNotMatch'],
  ['a bucket that is not there', { bucket: 'nowhere' }, 'The store answered 404 NoSuchBucket'],
  ['a store that is not there', { endpoint: 'http://127.0.0.1:1' }, 'fetch failed'],
])('%s: trouble, never an absent file', async (_, wrong, said) => {
  const other = createS3Storage({ ...s3.options, ...wrong })
  await expect(other.put(KEY, large.subarray(0, 10), 'image/png')).rejects.toThrow(said)
  await expect(other.read(KEY)).rejects.toThrow(said)
})

test('without an endpoint the bucket is one of AWS, by its name', async () => {
  const asked: string[] = []
  const outside = globalThis.fetch
  globalThis.fetch = async (request) => {
    asked.push((request as Request).url)
    return new Response('', { status: 404 })
  }
  try {
    const { endpoint: _, ...aws } = s3.options
    expect(await createS3Storage(aws).read(KEY)).toBeNull()
    expect(asked).toEqual([`https://files.s3.eu-north-1.amazonaws.com/${KEY}`])
  } finally {
    globalThis.fetch = outside
  }
})

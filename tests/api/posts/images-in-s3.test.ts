import { afterAll, expect, test } from 'vitest'
import { DeleteSocialPost } from '#lib/contracts/posts/social-posts'
import { pool } from '#lib/db/client'
import { removeStrays } from '#lib/services/files/files'
import { fileStorage } from '#lib/services/files/storage'
import { call } from '#tests/support/call'
import { aPng } from '#tests/support/files/images'
import { aUser } from '#tests/support/scenes/factories'
import { made } from '#tests/support/scenes/posts'
import { createS3Server } from '#tests/support/servers/s3'
import { GET } from '../../../app/(public)/files/[token]/route.ts'

const s3 = await createS3Server()
afterAll(() => s3.close())
Object.assign(process.env, {
  S3_BUCKET: s3.options.bucket,
  S3_ENDPOINT: s3.options.endpoint,
  S3_REGION: s3.options.region,
  S3_ACCESS_KEY_ID: s3.options.access_key_id,
  S3_SECRET_ACCESS_KEY: s3.options.secret_access_key,
})

const serve = (url = '') => {
  const token = url.split('/').at(-1) ?? ''
  return GET(new Request(url), { params: Promise.resolve({ token }) })
}

test('an image lies in the bucket alone, is served by the instance, and goes with its post', async () => {
  const owner = await aUser()
  const { id, attachments } = await made(owner, { image: new File([aPng()], 'a.png') })
  const [{ url } = { url: '' }] = attachments
  expect([...s3.files.keys()]).toEqual([expect.stringMatching(/^posts\/[0-9a-f-]+\.png$/)])
  expect(url).not.toContain(s3.options.endpoint)
  expect(Buffer.from(await (await serve(url)).arrayBuffer())).toEqual([...s3.files.values()][0]?.bytes)

  await call(DeleteSocialPost, { as: owner, params: { post_id: id } })
  await removeStrays(pool(), fileStorage, new Date())
  expect(s3.files.size).toBe(0)
  expect((await serve(url)).status).toBe(404)
})

test('a bucket that refuses is told to whoever posts, and nothing is kept of the post', async () => {
  s3.trouble.busy = 1000
  await expect(made(await aUser(), { image: new File([aPng()], 'a.png') })).rejects.toThrow(
    'The file could not be stored',
  )
  s3.trouble.busy = 0
  expect(s3.files.size).toBe(0)
})

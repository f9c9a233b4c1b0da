import * as fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import {
  CreateSocialPost,
  DeleteSocialPost,
  ListSocialPostMetrics,
  ListSocialPosts,
  PublishSocialPost,
  ReadSocialPost,
  type SocialPost,
  UpdateSocialPost,
} from '#lib/contracts/posts/social-posts'
import { db, pool } from '#lib/db/client'
import { describeTool } from '#lib/http/mcp/tool'
import { openFile, removeStrays } from '#lib/services/files/files'
import { fileStorage } from '#lib/services/files/storage'
import { eraseAccount, prepareErasure } from '#lib/services/workspaces/erasure'
import { type Called, call } from '#tests/support/call'
import { aJpeg, aPng, exif } from '#tests/support/files/images'
import { aUser } from '#tests/support/scenes/factories'
import { anAccount } from '#tests/support/scenes/social'
import { GET } from '../../../app/(public)/files/[token]/route.ts'

// Before anything reads the environment.
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'opener-posts-'))
process.env.DATA_DIR = folder
afterAll(() => fs.rmSync(folder, { recursive: true }))

const MINUTE = 60_000
const HOUR = 60 * MINUTE
type User = { user_id: string }

const filesThere = () =>
  fs.existsSync(path.join(folder, 'files'))
    ? fs
        .readdirSync(path.join(folder, 'files'), { recursive: true, withFileTypes: true })
        .filter((f) => f.isFile())
    : []

function form(fields: Record<string, string | File>) {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  return data
}
const png = (bytes: Uint8Array<ArrayBuffer> = aPng(), name = 'a.png') => new File([bytes], name)

async function made(owner: User, fields: Record<string, string | File> = {}): Promise<SocialPost> {
  const { status, body, error } = await call(CreateSocialPost, {
    as: owner,
    body: form({ text: 'Hello', ...fields }),
  })
  if (status !== 201) throw new Error(JSON.stringify(error))
  return body
}

describe('a post', () => {
  test('without an account is a draft, and leaves from the default account where there is one', async () => {
    const owner = await aUser()
    expect(await made(owner)).toMatchObject({
      status: 'draft',
      connected_account_id: null,
      scheduled_at: null,
    })
    await anAccount(owner)
    expect((await made(owner)).status).toBe('draft')
    const { account_id } = await anAccount(owner, { is_default: true })
    const post = await made(owner)
    expect(post).toMatchObject({ status: 'scheduled', connected_account_id: account_id, uncertain: false })
    expect(post.scheduled_at).toBe(post.created_at)
    expect((await made(owner, { draft: 'true' })).status).toBe('draft')
  })

  test('of a default account that takes no posts is a draft', async () => {
    const owner = await aUser()
    await anAccount(owner, { provider: 'whatsapp', is_default: true })
    expect(await made(owner)).toMatchObject({ status: 'draft', connected_account_id: null })
  })

  test('is scheduled for the time it says, in any offset', async () => {
    const owner = await aUser()
    const { account_id } = await anAccount(owner)
    const at = new Date(Date.now() + 48 * HOUR)
    const local = `${new Date(at.getTime() + 2 * HOUR).toISOString().slice(0, -1)}+02:00`
    const post = await made(owner, { connected_account_id: account_id, scheduled_at: local })
    expect(post).toMatchObject({ status: 'scheduled', scheduled_at: at.toISOString() })
  })

  test.each([
    ['scheduled_at', { scheduled_at: new Date(Date.now() - 6 * MINUTE).toISOString() }],
    ['scheduled_at', { scheduled_at: new Date(Date.now() + 400 * 24 * HOUR).toISOString() }],
    ['scheduled_at', { scheduled_at: 'tomorrow' }],
    ['text', { text: '😀'.repeat(3_001) }],
    ['text', { text: 'NUL \0' }],
    ['connected_account_id', { connected_account_id: 'mine' }],
  ])('is refused for its %s: %#', async (field, fields) => {
    const owner = await aUser()
    await anAccount(owner, { is_default: true })
    const { status, error } = await call(CreateSocialPost, {
      as: owner,
      body: form({ text: 'Hello', ...fields }),
    })
    expect([status, error.details?.[0]?.loc]).toEqual([422, ['body', field]])
  })

  test('counts an emoji as one character', async () => {
    expect((await made(await aUser(), { text: '😀'.repeat(3_000) })).text).toHaveLength(6_000)
  })

  test('keeps to what its network takes', async () => {
    const owner = await aUser()
    const of = async (provider: string) => (await anAccount(owner, { provider })).account_id
    const send = async (fields: Record<string, string | File>) => {
      const { status, error } = await call(CreateSocialPost, {
        as: owner,
        body: form({ text: 'Hi', ...fields }),
      })
      return [status, error.details?.[0]?.loc.at(-1)]
    }
    expect(await send({ connected_account_id: await of('whatsapp') })).toEqual([422, 'connected_account_id'])
    const instagram = await of('instagram')
    expect(await send({ connected_account_id: instagram })).toEqual([422, 'image'])
    expect(await send({ connected_account_id: instagram, image: png() })).toEqual([201, undefined])
    expect(await send({ connected_account_id: await of('twitter'), text: 'x'.repeat(281) })).toEqual([
      422,
      'text',
    ])
  })

  test("of another's account is 404", async () => {
    const { account_id } = await anAccount(await aUser(), { is_default: true })
    const owner = await aUser()
    const { status, error } = await call(CreateSocialPost, {
      as: owner,
      body: form({ text: 'Hello', connected_account_id: account_id }),
    })
    expect([status, error]).toEqual([404, { detail: 'Account not found.' }])
  })
})

describe('an image', () => {
  test('is judged by its content, stored without its place, and served as what it is', async () => {
    const owner = await aUser()
    const image = new File([aJpeg({ extra: [exif(6, '52.5200')] })], '../../evil.html', { type: 'text/html' })
    const { attachments } = await made(owner, { image })
    expect(attachments).toEqual([
      {
        id: expect.any(String),
        type: 'image',
        url: expect.stringContaining('/files/f1.'),
        filename: 'evil.jpg',
        size_bytes: expect.any(Number),
        content_type: 'image/jpeg',
      },
    ])
    const served = await serve(attachments[0]?.url)
    const bytes = Buffer.from(await served.arrayBuffer())
    expect(served.status).toBe(200)
    expect(served.headers.get('content-type')).toBe('image/jpeg')
    expect(served.headers.get('x-content-type-options')).toBe('nosniff')
    expect(served.headers.get('content-security-policy')).toContain('sandbox')
    expect(bytes.length).toBe(attachments[0]?.size_bytes)
    expect(bytes.includes('52.5200')).toBe(false)
  })

  test.each([
    ['an SVG', new File(['<svg xmlns="http://www.w3.org/2000/svg"/>'], 'a.png', { type: 'image/png' })],
    ['a page', new File(['<html></html>'], 'a.jpg', { type: 'image/jpeg' })],
    ['a bomb', png(aPng({ claimed: { width: 50_000, height: 50_000 } }))],
    ['more than 10 MiB', new File([new Uint8Array(10 * 1024 * 1024 + 1)], 'a.png')],
    ['more than the body may have', new File([new Uint8Array(11 * 1024 * 1024)], 'a.png')],
  ])('that is %s is 400 with the reason, and nothing is stored', async (_, image) => {
    const owner = await aUser()
    const before = filesThere().length
    const { status, error } = await call(CreateSocialPost, {
      as: owner,
      body: form({ text: 'Hello', image }),
    })
    expect([status, error]).toEqual([400, { detail: expect.stringMatching(/image|larger/) }])
    expect(filesThere()).toHaveLength(before)
    expect(await db.socialPost.count({ where: { user_id: owner.user_id } })).toBe(0)
  })

  test('may be given to the tools too', () => {
    for (const contract of [CreateSocialPost, UpdateSocialPost])
      expect([...describeTool(contract).files]).toEqual(['image'])
  })

  test('that is empty, as browsers send none, is none', async () => {
    expect((await made(await aUser(), { image: new File([], '') })).attachments).toEqual([])
    // As a Server Action reads it.
    expect((await made(await aUser(), { image: new File([], 'undefined') })).attachments).toEqual([])
  })

  test('goes from the storage with its post, with what replaces it, and with its owner', async () => {
    const owner = await aUser()
    const before = filesThere().length
    const first = await made(owner, { image: png() })
    const second = await made(owner, { image: png() })
    expect(filesThere()).toHaveLength(before + 2)
    const changed = await call(UpdateSocialPost, {
      as: owner,
      params: { post_id: first.id },
      body: form({ image: png(), text: 'Another' }),
    })
    expect(changed.body.attachments).toHaveLength(1)
    expect(changed.body.attachments[0]?.id).not.toBe(first.attachments[0]?.id)
    await removeStrays(pool(), fileStorage, new Date())
    expect(filesThere()).toHaveLength(before + 2)
    expect((await serve(first.attachments[0]?.url)).status).toBe(404)
    const removed = await call(UpdateSocialPost, {
      as: owner,
      params: { post_id: first.id },
      body: form({ remove_image: 'true' }),
    })
    expect(removed.body).toMatchObject({ attachments: [], text: 'Another' })
    await call(DeleteSocialPost, { as: owner, params: { post_id: second.id } })
    expect(filesThere()).toHaveLength(before)
    await made(owner, { image: png() })
    const { token } = await prepareErasure(owner.user_id, new Date())
    await eraseAccount(owner.user_id, { token, email: owner.email }, new Date())
    expect(filesThere()).toHaveLength(before)
  })

  test('of a request that died before its post was written goes after an hour, and not before', async () => {
    const storage = fileStorage()
    const location = `posts/${crypto.randomUUID()}.png`
    await db.strayFile.create({ data: { storage: 'disk', location, remove_at: new Date(Date.now() + HOUR) } })
    await storage.put(location, aPng(), 'image/png')
    await removeStrays(pool(), fileStorage, new Date())
    expect(await storage.read(location)).not.toBeNull()
    await removeStrays(pool(), fileStorage, new Date(Date.now() + HOUR + 1))
    expect(await storage.read(location)).toBeNull()
  })

  test('opens for nobody by an address that was altered, or by another owner’s id', async () => {
    const owner = await aUser()
    const { attachments } = await made(owner, { image: png() })
    const url = attachments[0]?.url ?? ''
    expect((await serve(url.slice(0, -1) + (url.endsWith('A') ? 'B' : 'A'))).status).toBe(404)
    expect((await serve('http://x/files/..%2f..%2fsecrets.json')).status).toBe(404)
    const token = url.split('/').at(-1) ?? ''
    expect(await openFile(token, new Date())).toMatchObject({ user_id: owner.user_id })
    expect(await openFile(token, new Date(Date.now() + 72 * HOUR))).toBeNull()
    await db.socialPostAttachment.updateMany({
      where: { user_id: owner.user_id },
      data: { user_id: (await aUser()).user_id },
    })
    expect((await serve(url)).status).toBe(404)
  })
})

async function serve(url = '') {
  const token = decodeURIComponent(url.split('/').at(-1) ?? '')
  return GET(new Request(url), { params: Promise.resolve({ token }) })
}

describe('the list', () => {
  test('goes through everything once by its cursor, newest first, also where posts are of one instant', async () => {
    const owner = await aUser()
    const { account_id } = await anAccount(owner, { name: 'Ada' })
    const at = new Date('2026-01-05T10:00:00.123Z')
    const rows = Array.from({ length: 7 }, (_, index) => ({
      user_id: owner.user_id,
      text: `${index}`,
      created_at: index < 5 ? at : new Date(at.getTime() + index),
    }))
    await db.socialPost.createMany({ data: rows })
    const seen: SocialPost[] = []
    let after: string | null = ''
    while (after !== null) {
      const query: Record<string, string | number> = { limit: 3, after }
      const { body }: Called<typeof ListSocialPosts> = await call(ListSocialPosts, { as: owner, query })
      expect(body.total_count).toBe(7)
      expect(body.accounts).toEqual([
        { id: account_id, provider: 'linkedin', name: 'Ada', avatar_url: null, status: 'connected' },
      ])
      seen.push(...body.items)
      after = body.next_after
    }
    const all = await db.socialPost.findMany({
      where: { user_id: owner.user_id },
      orderBy: [{ created_at: 'desc' }, { id: 'desc' }],
    })
    expect(seen.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
  })

  test('is of one account where one is named, and counts it', async () => {
    const owner = await aUser()
    const { account_id } = await anAccount(owner)
    await made(owner)
    const post = await made(owner, { connected_account_id: account_id })
    const { body } = await call(ListSocialPosts, { as: owner, query: { connected_account_id: account_id } })
    expect(body).toMatchObject({ items: [{ id: post.id }], total_count: 1, next_after: null })
    const stranger = await call(ListSocialPosts, {
      as: await aUser(),
      query: { connected_account_id: account_id },
    })
    expect(stranger.body).toMatchObject({ items: [], accounts: [], total_count: 0 })
  })
})

test('what was counted is listed, newest first', async () => {
  const owner = await aUser()
  const { id } = await made(owner)
  const at = (hour: number) => new Date(Date.UTC(2026, 0, 5, hour))
  const rows = [9, 11, 10].map((hour) => ({
    post_id: id,
    user_id: owner.user_id,
    at: at(hour),
    impressions: hour,
  }))
  await db.socialPostMetrics.createMany({ data: rows })
  const { body } = await call(ListSocialPostMetrics, {
    as: owner,
    params: { post_id: id },
    query: { page_size: 2 },
  })
  expect(body).toMatchObject({
    items: [{ at: at(11).toISOString(), impressions: 11, reactions: null }, { impressions: 10 }],
    total: 3,
  })
})

describe('a change', () => {
  const soon = () => new Date(Date.now() + HOUR).toISOString()
  async function change(owner: User, post: SocialPost, fields: Record<string, string | File>) {
    const params = { post_id: post.id }
    const { status, body, error } = await call(UpdateSocialPost, { as: owner, params, body: form(fields) })
    return { status, body, code: error?.detail ?? error?.details?.[0]?.loc.at(-1) }
  }

  test('schedules a draft, and takes the time or the account away again', async () => {
    const owner = await aUser()
    const { account_id } = await anAccount(owner)
    const post = await made(owner)
    const scheduled_at = soon()
    expect(await change(owner, post, { scheduled_at })).toMatchObject({
      status: 422,
      code: 'connected_account_id',
    })
    const scheduled = await change(owner, post, { scheduled_at, connected_account_id: account_id })
    expect(scheduled.body).toMatchObject({ status: 'scheduled', scheduled_at, text: 'Hello' })
    const unscheduled = await change(owner, post, { scheduled_at: '' })
    expect(unscheduled.body).toMatchObject({
      status: 'draft',
      scheduled_at: null,
      connected_account_id: account_id,
    })
    await change(owner, post, { scheduled_at: soon() })
    expect((await change(owner, post, { connected_account_id: '' })).body).toMatchObject({
      status: 'draft',
      connected_account_id: null,
    })
  })

  test('of a scheduled post keeps to what its network takes', async () => {
    const owner = await aUser()
    const { account_id } = await anAccount(owner, { provider: 'twitter' })
    const post = await made(owner, { connected_account_id: account_id, scheduled_at: soon() })
    expect(await change(owner, post, { text: 'x'.repeat(281) })).toMatchObject({ status: 422, code: 'text' })
    const { body } = await call(ReadSocialPost, { as: owner, params: { post_id: post.id } })
    expect(body.text).toBe('Hello')
  })

  test.each(['publishing', 'published'] as const)('of a %s post is 409', async (status) => {
    const owner = await aUser()
    const post = await made(owner)
    await db.socialPost.update({ where: { id: post.id }, data: { status } })
    expect(await change(owner, post, { text: 'New' })).toMatchObject({
      status: 409,
      code: 'post_not_changeable',
    })
    const published = await call(PublishSocialPost, { as: owner, params: { post_id: post.id } })
    expect([published.status, published.error.detail]).toEqual([409, 'post_not_changeable'])
  })

  test('publishes now what was a draft or failed, where there is an account', async () => {
    const owner = await aUser()
    const post = await made(owner)
    const publish = () => call(PublishSocialPost, { as: owner, params: { post_id: post.id } })
    expect((await publish()).error.detail).toBe('post_without_account')
    const { account_id } = await anAccount(owner, { is_default: true })
    await db.socialPost.update({
      where: { id: post.id },
      data: { status: 'failed', retry_count: 6, last_error: 'no' },
    })
    expect((await publish()).body).toMatchObject({
      status: 'scheduled',
      connected_account_id: account_id,
      retry_count: 0,
      last_error: null,
    })
  })
})

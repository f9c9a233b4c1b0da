import { describe, expect, test } from 'vitest'
import {
  CreateSocialPost,
  ListSocialPostMetrics,
  ListSocialPosts,
  PublishSocialPost,
  ReadSocialPost,
  type SocialPost,
  UpdateSocialPost,
} from '#lib/contracts/posts/social-posts'
import { GiveAccount, TakeAccount } from '#lib/contracts/senders/sender-members'
import { db } from '#lib/db/client'
import { type Called, call } from '#tests/support/call'
import { aPng } from '#tests/support/files/images'
import { aUser } from '#tests/support/scenes/factories'
import { form, made } from '#tests/support/scenes/posts'
import { anAccount } from '#tests/support/scenes/social'
import { aMember } from '#tests/support/scenes/team'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
type User = { workspace_id: string; user_id: string }

const png = (bytes: Uint8Array<ArrayBuffer> = aPng(), name = 'a.png') => new File([bytes], name)

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

describe('the list', () => {
  test('goes through everything once by its cursor, newest first, also where posts are of one instant', async () => {
    const owner = await aUser()
    const { account_id } = await anAccount(owner, { name: 'Ada' })
    const at = new Date('2026-01-05T10:00:00.123Z')
    const rows = Array.from({ length: 7 }, (_, index) => ({
      workspace_id: owner.workspace_id,
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
      where: { workspace_id: owner.workspace_id },
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
    workspace_id: owner.workspace_id,
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

test('a member posts no more from an account that was taken away, and still withdraws what is scheduled', async () => {
  const owner = await aUser({ tier: 'scale' })
  const member = await aMember(owner, 'member')
  const { account_id } = await anAccount(owner)
  const given = { account_id, user_id: member.user_id }
  await call(GiveAccount, { as: owner, params: given })
  const scheduled_at = new Date(Date.now() + 48 * HOUR).toISOString()
  const { id } = await made(member, { connected_account_id: account_id, scheduled_at })
  const params = { post_id: id }
  const update = (body: Record<string, string>) =>
    call(UpdateSocialPost, { as: member, params, body: form({ version: '1', ...body }) })
  const publish = (as: User) => call(PublishSocialPost, { as, params })
  await call(TakeAccount, { as: owner, params: given })
  const before = await call(ReadSocialPost, { as: member, params })
  for (const refused of [await publish(member), await update({ text: 'Other words' })])
    expect([refused.status, refused.error.detail]).toEqual([403, 'role_insufficient'])
  expect((await call(ReadSocialPost, { as: member, params })).body).toEqual(before.body)
  expect((await update({ scheduled_at: '' })).body).toMatchObject({ status: 'draft' })
  expect((await publish(member)).status).toBe(403)
  expect((await publish(owner)).status).toBe(200)
})

test('a member publishes from the default account, which everybody uses', async () => {
  const owner = await aUser({ tier: 'scale' })
  const member = await aMember(owner, 'member')
  await anAccount(owner, { is_default: true })
  const { id } = await made(member, { draft: 'true' })
  expect((await call(PublishSocialPost, { as: member, params: { post_id: id } })).status).toBe(200)
})

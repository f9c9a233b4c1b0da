import { expect, test } from 'vitest'
import { ListSocialPosts } from '#lib/contracts/posts/social-posts'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'
import { anAccount } from '#tests/support/scenes/social'

const at = (day: number) => new Date(Date.UTC(2026, 0, day))

/** A draft without an account, two published posts with metrics, and one that is due. */
async function aFeed() {
  const owner = await aUser()
  const { user_id, workspace_id } = owner
  const [{ account_id: ada }, { account_id: zoe }] = [
    await anAccount(owner, { name: 'ada' }),
    await anAccount(owner, { name: 'Zoe' }),
  ]
  const counted = { status: 'published' as const, metrics_updated_at: at(9) }
  const posts = [
    {
      text: 'beta',
      connected_account_id: zoe,
      published_at: at(2),
      impressions: 5,
      reactions: 2,
      ...counted,
    },
    {
      text: 'Alpha',
      connected_account_id: ada,
      published_at: at(3),
      impressions: 9,
      reactions: 1,
      ...counted,
    },
    {
      text: 'gamma',
      connected_account_id: zoe,
      scheduled_at: at(8),
      next_attempt_at: at(8),
      status: 'scheduled' as const,
    },
    { text: 'delta' },
  ]
  for (const [place, post] of posts.entries())
    await db.socialPost.create({
      data: { user_id, workspace_id, created_at: at(1 + place), ...post },
    })
  return { owner, zoe }
}

test('posts are sorted by text in any case, state, account, when they leave and their counts; what is not counted comes last', async () => {
  const { owner, zoe } = await aFeed()
  const by = async (query: Record<string, string>) => {
    const { status, body } = await call(ListSocialPosts, { as: owner, query })
    expect(status).toBe(200)
    return body.items.map(({ text }) => text?.[0]?.toLowerCase())
  }
  expect(await by({})).toEqual(['d', 'g', 'a', 'b'])
  expect(await by({ sort: 'text' })).toEqual(['a', 'b', 'd', 'g'])
  expect(await by({ sort: 'status' })).toEqual(['d', 'g', 'a', 'b'])
  expect(await by({ sort: 'account' })).toEqual(['a', 'g', 'b', 'd'])
  expect(await by({ sort: '-at' })).toEqual(['g', 'a', 'b', 'd'])
  expect(await by({ sort: '-impressions' })).toEqual(['a', 'b', 'd', 'g'])
  expect(await by({ sort: 'reactions', status: 'published' })).toEqual(['a', 'b'])
  expect(await by({ sort: 'text', connected_account_id: zoe })).toEqual(['b', 'g'])
  expect((await call(ListSocialPosts, { as: owner, query: { sort: 'reposts' } })).status).toBe(422)
})

test('a cursor goes through all of them once in the order that was asked for', async () => {
  const { owner } = await aFeed()
  const seen: (string | null)[] = []
  let after: string | null = ''
  while (after !== null) {
    const query: Record<string, string> = { sort: '-impressions', limit: '2', after }
    const { body } = await call(ListSocialPosts, { as: owner, query })
    seen.push(...body.items.map(({ text }) => text))
    after = body.next_after
  }
  expect(seen).toEqual(['Alpha', 'beta', 'delta', 'gamma'])
})

import { afterEach, describe, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { SocialReadError } from '#lib/providers/social/port'
import { deleteSocialPost } from '#lib/services/posts/delete'
import { plus, stage, start } from '#tests/support/scenes/posting'

afterEach(() => db.socialPost.deleteMany())

const MINUTE = 60_000
const DAY = 1_440 * MINUTE

describe('what was published', () => {
  test('is deleted on the network first, and stays where that refuses', async () => {
    const { network, owner, post, publish } = await stage()
    const { id } = await post()
    await publish(0)
    const remove = (keep_published = false) =>
      deleteSocialPost(owner.workspace_id, id, { keep_published }, network.findProvider, start)
    network.refuseDeletion({ outcome: 'never_left', response: 'Down.', sender_rejected: false })
    await expect(remove()).rejects.toMatchObject({ code: 'provider_unavailable' })
    network.refuseDeletion({ outcome: 'refused_for_good', code: null, response: 'No.', blames: 'message' })
    await expect(remove()).rejects.toMatchObject({ code: 'provider_rejected' })
    expect(await db.socialPost.count({ where: { id } })).toBe(1)
    network.refuseDeletion(null)
    await remove()
    expect(network.deleted).toEqual([network.published[0]?.id])
    expect(await db.socialPost.count({ where: { id } })).toBe(0)
  })

  test('is deleted here where the network does not have it any more, or where its owner wants it kept there', async () => {
    const { network, owner, post, publish } = await stage()
    const posts = [await post(), await post({ text: 'Another' })]
    await publish(0)
    network.refuseDeletion({
      outcome: 'refused_for_good',
      code: null,
      response: 'No such post.',
      blames: 'message',
    })
    network.failReading(new SocialReadError('not_found', 'No such post.'))
    for (const [index, { id }] of posts.entries())
      await deleteSocialPost(
        owner.workspace_id,
        id,
        { keep_published: index === 1 },
        network.findProvider,
        start,
      )
    expect(await db.socialPost.count({ where: { workspace_id: owner.workspace_id } })).toBe(0)
    expect(network.deleted).toEqual([])
  })

  test('is counted hourly at first, keeps its history, and keeps a count that the network leaves out', async () => {
    const { network, post, read, publish, count } = await stage()
    const { id } = await post()
    await publish(0)
    expect(await count(59)).toBe(0)
    network.setMetrics(() => ({ impressions: 100, reactions: 7, comments: 1, reposts: 2 }))
    expect(await count(60)).toBe(1)
    network.setMetrics(() => ({ impressions: 150, reactions: null, comments: -3, reposts: 2 ** 40 }))
    expect(await count(120)).toBe(1)
    expect(await count(121)).toBe(0)
    expect(await read(id)).toMatchObject({
      impressions: 150,
      reactions: 7,
      comments: 0,
      reposts: 2 ** 31 - 1,
      metrics_updated_at: plus(120),
      next_metrics_at: plus(180),
    })
    const history = await db.socialPostMetrics.findMany({ where: { post_id: id }, orderBy: { at: 'asc' } })
    expect(history.map(({ impressions, reactions }) => [impressions, reactions])).toEqual([
      [100, 7],
      [150, null],
    ])
  })

  test('is counted daily later, not after thirty days, and not once the network has it no more', async () => {
    const { network, post, read, publish, count } = await stage()
    const { id } = await post()
    await publish(0)
    await count(2 * 1_440 + 1)
    expect((await read(id)).next_metrics_at).toEqual(plus(3 * 1_440 + 1))
    network.failReading(new SocialReadError('unavailable', 'Down.'))
    expect(await count(4 * 1_440)).toBe(0)
    expect((await read(id)).next_metrics_at).toEqual(plus(5 * 1_440))
    network.failReading(new SocialReadError('not_found', 'Gone.'))
    expect(await count(6 * 1_440)).toBe(0)
    expect((await read(id)).next_metrics_at).toBeNull()
    const second = await post({ text: 'Two' })
    network.failReading(null)
    await publish(0)
    expect(await count((31 * DAY) / MINUTE)).toBe(1)
    expect((await read(second.id)).next_metrics_at).toBeNull()
  })
})

import { afterEach, describe, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import { AppError } from '#lib/errors'
import { fileStorage } from '#lib/services/files/storage'
import { updateSocialPost } from '#lib/services/posts/posts'
import { publishDue } from '#lib/services/posts/publish'
import { aPng } from '#tests/support/files/images'
import { later, plus, stage, start } from '#tests/support/scenes/posting'

afterEach(() => db.socialPost.deleteMany())

describe('a post that is due', () => {
  test('is published once, with its image, and says where', async () => {
    const { network, account, post, read, publish } = await stage()
    const { id } = await post({ image: new File([aPng()], 'a.png') })
    expect(await publish()).toBe(1)
    expect(await publish(1)).toBe(0)
    expect(network.published).toMatchObject([
      {
        account: account.provider_account_id,
        text: 'Hello world',
        image: { filename: 'a.png', content_type: 'image/png', bytes: aPng() },
      },
    ])
    expect(await read(id)).toMatchObject({
      status: 'published',
      uncertain: false,
      published_at: start,
      provider_post_id: network.published[0]?.id,
      social_id: 'social-1',
      share_url: 'https://social.test/1',
      author_name: account.name,
      last_error: null,
      lease_until: null,
    })
  })

  test('is due at its time and not before; a draft never is', async () => {
    const { network, owner, post, read, publish } = await stage()
    const { id } = await post({ scheduled_at: plus(60) })
    const draft = await post({ draft: true })
    expect(await publish(59)).toBe(0)
    expect(await publish(60)).toBe(1)
    expect((await read(id)).published_at).toEqual(plus(60))
    expect((await read(draft.id)).status).toBe('draft')
    expect(network.offers()).toBe(1)
    await expect(updateSocialPost(owner, id, { text: 'No' }, plus(61))).rejects.toThrow(AppError)
  })

  test('waits for the next process where this one is about to end', async () => {
    const { network, post, read } = await stage()
    const { id } = await post()
    const clock = () => start
    const options = {
      pool: pool(),
      findProvider: network.findProvider,
      findStorage: fileStorage,
      clock,
      until: plus(1),
    }
    expect(await publishDue({ ...options, stopping: () => true })).toBe(0)
    expect((await read(id)).status).toBe('scheduled')
    expect(await publishDue({ ...options, stopping: () => false })).toBe(1)
  })

  test('goes out once however many workers look at the same moment', async () => {
    const { network, post, publish } = await stage()
    for (let index = 0; index < 8; index += 1) await post({ text: `Post ${index}` })
    await Promise.all([publish(), publish(), publish()])
    expect(network.published.map(({ text }) => text).toSorted()).toEqual(
      Array.from({ length: 8 }, (_, index) => `Post ${index}`),
    )
  })
})

describe('a post that was not taken', () => {
  test('is offered again, later each time, and given up after five times', async () => {
    const { network, post, read, publish } = await stage(() => ({ outcome: later() }))
    const { id } = await post()
    const offersAt: number[] = []
    for (let minute = 0; minute < 500; minute += 1) if (await publish(minute)) offersAt.push(minute)
    expect(offersAt).toEqual([0, 1, 6, 21, 81, 321])
    expect(await read(id)).toMatchObject({ status: 'failed', retry_count: 6, last_error: 'Too many posts.' })
    expect(network.published).toEqual([])
  })

  test('waits for as long as the network says', async () => {
    const { post, publish } = await stage((offer) => (offer === 1 ? { outcome: later(1_800) } : {}))
    const { id } = await post()
    expect(await publish(0)).toBe(1)
    expect(await publish(29)).toBe(0)
    expect(await publish(30)).toBe(1)
    expect((await db.socialPost.findUniqueOrThrow({ where: { id } })).status).toBe('published')
  })

  test('is not offered again where the network refuses it for good', async () => {
    const refusal = {
      outcome: 'refused_for_good',
      code: 'x',
      response: 'Too long.',
      blames: 'message',
    } as const
    const { post, read, publish, owner } = await stage(() => ({ outcome: refusal }))
    const { id } = await post()
    await publish(0)
    expect(await publish(1_000)).toBe(0)
    expect(await read(id)).toMatchObject({ status: 'failed', last_error: 'Too long.', retry_count: 1 })
    expect(await db.notification.findMany({ where: { workspace_id: owner.workspace_id } })).toMatchObject([
      { kind: 'post_failed', data: { name: 'Hello world', reason: 'Too long.', post_id: id } },
    ])
  })

  test('waits for an account that has to be connected again, and says so', async () => {
    const lost = { outcome: 'never_left', response: 'Sign in again.', sender_rejected: true } as const
    const { network, account, post, read, publish } = await stage((offer) =>
      offer === 1 ? { outcome: lost } : {},
    )
    const { id } = await post()
    const where = { account_id: account.account_id }
    await publish(0)
    expect(await db.connectedAccount.findUniqueOrThrow({ where })).toMatchObject({
      status: 'disconnected',
      status_reason: 'Sign in again.',
    })
    await publish(1)
    expect(network.offers()).toBe(1)
    expect((await read(id)).last_error).toMatch(/Reconnect/)
    await db.connectedAccount.update({ where, data: { status: 'connected' } })
    await publish(6)
    expect((await read(id)).status).toBe('published')
  })

  test('fails at once without its account, or without its image', async () => {
    const { network, account, post, read, publish } = await stage()
    const shown = await post({ image: new File([aPng()], 'a.png') })
    const file = await db.socialPostAttachment.findFirstOrThrow({ where: { post_id: shown.id } })
    await fileStorage(file.storage).remove(file.location)
    const other = await post({ text: 'Two' })
    await publish(0)
    await db.socialPost.update({
      where: { id: other.id },
      data: { status: 'scheduled', next_attempt_at: start, provider_post_id: null },
    })
    await db.connectedAccount.delete({ where: { account_id: account.account_id } })
    await publish(1)
    expect((await read(shown.id)).last_error).toMatch(/image is missing/)
    expect(await read(other.id)).toMatchObject({
      status: 'failed',
      last_error: expect.stringMatching(/account/),
    })
    expect(network.published).toHaveLength(1)
  })

  test('is kept for later where this instance has no driver for its account', async () => {
    const { post, read } = await stage()
    const { id } = await post()
    const findProvider = () => {
      throw new AppError('provider_unavailable', { message: 'No such provider.' })
    }
    const options = {
      pool: pool(),
      findStorage: fileStorage,
      clock: () => start,
      until: plus(1),
      findProvider,
    }
    await publishDue(options)
    expect(await read(id)).toMatchObject({ status: 'scheduled', last_error: 'No such provider.' })
  })
})

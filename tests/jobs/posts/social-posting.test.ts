import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { createServer } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import { AppError } from '#lib/errors'
import { type PublishedPost, type SocialOutcome, SocialReadError } from '#lib/providers/social/port'
import { fileStorage } from '#lib/services/files/storage'
import { countPosts } from '#lib/services/posts/count'
import { deleteSocialPost } from '#lib/services/posts/delete'
import { createSocialPost, updateSocialPost } from '#lib/services/posts/posts'
import { publishDue } from '#lib/services/posts/publish'
import { resolveSocialPost, settleUncertain } from '#lib/services/posts/settle'
import { aPng } from '#tests/support/files/images'
import { aUser } from '#tests/support/scenes/factories'
import { anAccount, memoryNetwork } from '#tests/support/scenes/social'

// Before anything reads the environment.
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'opener-posting-'))
process.env.DATA_DIR = folder
afterAll(() => fs.rmSync(folder, { recursive: true }))
afterEach(() => db.socialPost.deleteMany())

const MINUTE = 60_000
const DAY = 1_440 * MINUTE
const start = new Date()
const plus = (minutes: number) => new Date(start.getTime() + minutes * MINUTE)

type Answer = Parameters<typeof memoryNetwork>[1]
const gone = { outcome: 'unknown', response: 'The connection ended.' } as const
const later = (seconds: number | null = null): SocialOutcome<PublishedPost> => ({
  outcome: 'refused_for_now',
  code: 'limit',
  response: 'Too many posts.',
  blames: 'sender',
  retry_after_seconds: seconds,
})

/** A network, its account, and rounds of the background functions at any minute. */
async function stage(answer?: Answer) {
  let now = start
  const clock = () => now
  const network = memoryNetwork(clock, answer)
  const owner = await aUser()
  const account = await anAccount(owner, { is_default: true })
  const options = {
    pool: pool(),
    providerOf: network.providerOf,
    storageOf: fileStorage,
    clock,
    until: plus(10 ** 6),
  }
  const at = (minutes: number) => {
    now = plus(minutes)
    return options
  }
  const post = (fields: object = {}) =>
    createSocialPost(owner.user_id, { text: 'Hello world', ...fields }, start)
  const read = (id: string) => db.socialPost.findUniqueOrThrow({ where: { id } })
  const resolve = (id: string, word: 'published' | 'publish_again', minutes = 0) =>
    resolveSocialPost(owner.user_id, id, word, network.providerOf, at(minutes).clock())
  return {
    network,
    owner,
    account,
    post,
    read,
    resolve,
    publish: (minutes = 0) => publishDue(at(minutes)),
    settle: (minutes = 0) => settleUncertain(at(minutes)),
    count: (minutes = 0) => countPosts(at(minutes)),
  }
}

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
    await expect(updateSocialPost(owner.user_id, id, { text: 'No' }, plus(61))).rejects.toThrow(AppError)
  })

  test('waits for the next process where this one is about to end', async () => {
    const { network, post, read } = await stage()
    const { id } = await post()
    const clock = () => start
    const options = {
      pool: pool(),
      providerOf: network.providerOf,
      storageOf: fileStorage,
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
    expect(await db.notification.findMany({ where: { user_id: owner.user_id } })).toMatchObject([
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
    expect((await read(id)).last_error).toMatch(/connected again/)
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
    expect((await read(shown.id)).last_error).toMatch(/image is gone/)
    expect(await read(other.id)).toMatchObject({
      status: 'failed',
      last_error: expect.stringMatching(/account/),
    })
    expect(network.published).toHaveLength(1)
  })

  test('is kept for later where this instance has no driver for its account', async () => {
    const { post, read } = await stage()
    const { id } = await post()
    const providerOf = () => {
      throw new AppError('provider_unavailable', { message: 'No such provider.' })
    }
    const options = { pool: pool(), storageOf: fileStorage, clock: () => start, until: plus(1), providerOf }
    await publishDue(options)
    expect(await read(id)).toMatchObject({ status: 'scheduled', last_error: 'No such provider.' })
  })
})

describe('a post of which nobody knows', () => {
  test('is never offered again by itself, and is found by what the account shows', async () => {
    const { network, post, read, publish, settle } = await stage(() => ({ outcome: gone, taken: true }))
    const { id } = await post()
    await publish(0)
    expect(await read(id)).toMatchObject({ status: 'publishing', uncertain: true, last_error: gone.response })
    expect(await publish(1_000)).toBe(0)
    expect(await settle(1)).toBe(1)
    expect(await read(id)).toMatchObject({
      status: 'published',
      uncertain: false,
      published_at: start,
      provider_post_id: network.published[0]?.id,
      last_error: null,
    })
    expect(network.offers()).toBe(1)
  })

  test('stays uncertain where the account does not show it, for as long as nobody says', async () => {
    const { network, post, read, publish, settle } = await stage(() => ({ outcome: gone }))
    const { id } = await post()
    await publish(0)
    for (let minute = 0; minute < 2_000; minute += 20) expect(await settle(minute)).toBe(0)
    expect(await read(id)).toMatchObject({ status: 'publishing', uncertain: true, next_check_at: null })
    expect(network.offers()).toBe(1)
  })

  test('is looked for again later where the network does not answer', async () => {
    const { network, post, read, publish, settle } = await stage(() => ({ outcome: gone, taken: true }))
    const { id } = await post()
    await publish(0)
    network.failReading(new SocialReadError('rate_limited', 'Slow down.', 600))
    expect(await settle(0)).toBe(0)
    network.failReading(null)
    expect(await settle(9)).toBe(0)
    expect(await settle(10)).toBe(1)
    expect((await read(id)).status).toBe('published')
  })

  test('of two with the same words each takes evidence of its own', async () => {
    const answers: Answer = (offer) => ({ outcome: gone, taken: offer === 1 })
    const { post, publish, settle } = await stage(answers)
    await post()
    await post()
    await publish(0)
    expect(await settle(1)).toBe(1)
    expect(await settle(30)).toBe(0)
    expect(await db.socialPost.groupBy({ by: ['status'], _count: true, orderBy: { status: 'asc' } })).toEqual(
      [
        { status: 'publishing', _count: 1 },
        { status: 'published', _count: 1 },
      ],
    )
  })

  test('is as its owner says: published', async () => {
    const { network, post, publish, resolve } = await stage(() => ({ outcome: gone }))
    const { id } = await post()
    await publish(0)
    expect(await resolve(id, 'published', 5)).toMatchObject({ status: 'published', published_at: start })
    await expect(resolve(id, 'publish_again', 6)).rejects.toThrow(/not uncertain/)
    await publish(7)
    expect(network.offers()).toBe(1)
  })

  test('is offered once more where its owner says so', async () => {
    const { network, post, read, publish, resolve } = await stage((offer) =>
      offer === 1 ? { outcome: gone } : {},
    )
    const { id } = await post()
    await publish(0)
    expect(await resolve(id, 'publish_again', 5)).toMatchObject({ status: 'scheduled', uncertain: false })
    await publish(5)
    expect((await read(id)).status).toBe('published')
    expect(network.published).toHaveLength(1)
  })

  test('is not published twice even where its owner says to, while the account shows it', async () => {
    const { network, post, publish, resolve } = await stage(() => ({ outcome: gone, taken: true }))
    const { id } = await post()
    await publish(0)
    expect(await resolve(id, 'publish_again', 5)).toMatchObject({
      status: 'published',
      provider_post_id: network.published[0]?.id,
    })
    await publish(6)
    expect(network.published).toHaveLength(1)
  })

  test('of two words of its owner at once one counts', async () => {
    const { post, publish, resolve } = await stage(() => ({ outcome: gone }))
    const { id } = await post()
    await publish(0)
    const words = await Promise.allSettled([resolve(id, 'published', 5), resolve(id, 'publish_again', 5)])
    expect(words.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('is settled by its own worker, however late that speaks up, until its owner has', async () => {
    for (const said of [false, true]) {
      let finish = () => {}
      const waits = new Promise<void>((resolve) => {
        finish = resolve
      })
      const made = await stage(async () => {
        await waits
        return {}
      })
      const { id } = await made.post()
      const working = made.publish(0)
      await expect.poll(() => made.network.offers()).toBe(1)
      await made.publish(11)
      expect(await made.read(id)).toMatchObject({ status: 'publishing', uncertain: true })
      if (said) await made.resolve(id, 'published', 12)
      finish()
      await working
      const { status, provider_post_id } = await made.read(id)
      expect([status, provider_post_id === null]).toEqual(['published', said])
      expect(made.network.published).toHaveLength(1)
    }
  })

  test('cannot be deleted, nor can one under way', async () => {
    const { network, owner, post, publish } = await stage(() => ({ outcome: gone }))
    const { id } = await post()
    await publish(0)
    const remove = () =>
      deleteSocialPost(owner.user_id, id, { keep_published: true }, network.providerOf, start)
    await expect(remove()).rejects.toThrow(/what became of it/)
  })
})

describe('what was published', () => {
  test('is deleted on the network first, and stays where that refuses', async () => {
    const { network, owner, post, publish } = await stage()
    const { id } = await post()
    await publish(0)
    const remove = (keep_published = false) =>
      deleteSocialPost(owner.user_id, id, { keep_published }, network.providerOf, start)
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
      await deleteSocialPost(owner.user_id, id, { keep_published: index === 1 }, network.providerOf, start)
    expect(await db.socialPost.count({ where: { user_id: owner.user_id } })).toBe(0)
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

describe('workers that die', () => {
  /** A network of another process: it counts, and answers nobody whose connection broke. */
  async function aNetwork() {
    const taken: string[] = []
    const server = createServer(async (request, response) => {
      let body = ''
      for await (const part of request) body += part
      if (request.url === '/recent') return response.end(JSON.stringify(taken))
      taken.push(JSON.parse(body).text)
      response.end(JSON.stringify(taken.length))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    return {
      taken,
      url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
      close: () => new Promise((resolve) => server.close(resolve)),
    }
  }

  const WORKER = path.resolve(import.meta.dirname, '../../support/drill/posting-worker.ts')

  /** Runs a worker until it ends or is killed by the kernel before its n-th word with the outside; whether it lived. */
  async function work(url: string, killAt: number): Promise<boolean> {
    const child = spawn(process.execPath, [WORKER, url, `${killAt}`], { stdio: 'inherit' })
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
      child.once('exit', (...end) => resolve(end)),
    )
    if (signal !== 'SIGKILL' && code !== 0) throw new Error(`The worker ended with ${code}.`)
    return code === 0
  }

  /** As if the lease of the dead had run out, and evidence were due. */
  const passTime = async () => {
    const leased = { status: 'publishing', uncertain: false } as const
    await db.socialPost.updateMany({ where: leased, data: { lease_until: new Date(0) } })
    await db.socialPost.updateMany({ where: { status: 'scheduled' }, data: { next_attempt_at: new Date(0) } })
    await db.socialPost.updateMany({ where: { uncertain: true }, data: { next_check_at: new Date(0) } })
  }

  test('before each of their statements and calls, and after each call, publish nothing twice', async () => {
    const network = await aNetwork()
    const owner = await aUser()
    await anAccount(owner, { is_default: true })
    const timesOf = (text: string | null) => network.taken.filter((one) => one === text).length
    const died: string[] = []
    const never = new Date('2100-01-01')
    try {
      let lived = false
      for (let killAt = 1; !lived && killAt <= 40; killAt += 1) {
        const text = `Killed at ${killAt}`
        const { id } = await createSocialPost(owner.user_id, { text }, new Date())
        lived = await work(network.url, killAt)
        const { status } = await db.socialPost.findUniqueOrThrow({ where: { id } })
        died.push(`${status}, ${timesOf(text)} times there`)
        // Out of the way of the next worker, until all have had their turn.
        const aside = { next_attempt_at: never, lease_until: status === 'publishing' ? never : null }
        await db.socialPost.update({ where: { id }, data: aside })
      }
      expect(lived).toBe(true)
      // Killed before the claim, before the call, after the call, and after the record.
      expect(new Set(died)).toEqual(
        new Set([
          'scheduled, 0 times there',
          'publishing, 0 times there',
          'publishing, 1 times there',
          'published, 1 times there',
        ]),
      )
      for (let round = 0; round < 3; round += 1) {
        await passTime()
        expect(await work(network.url, 0)).toBe(true)
      }
      for (const post of await db.socialPost.findMany({ where: { user_id: owner.user_id } })) {
        const times = timesOf(post.text)
        expect(times).toBeLessThanOrEqual(1)
        // Published where the network has it; where it has not, its owner is asked.
        expect([post.status, post.uncertain]).toEqual(
          times === 1 ? ['published', false] : ['publishing', true],
        )
      }
    } finally {
      await network.close()
    }
  }, 300_000)
})

import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { SocialReadError } from '#lib/providers/social/port'
import { deleteSocialPost } from '#lib/services/posts/delete'
import { createSocialPost } from '#lib/services/posts/posts'
import { aUser } from '#tests/support/scenes/factories'
import { type Answer, gone, stage, start } from '#tests/support/scenes/posting'
import { anAccount } from '#tests/support/scenes/social'

afterEach(() => db.socialPost.deleteMany())

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
      deleteSocialPost(owner.workspace_id, id, { keep_published: true }, network.findProvider, start)
    await expect(remove()).rejects.toThrow(/what happened to it/)
  })
})

describe('workers that die', () => {
  /** A network in another process: it counts posts, and its answers are lost when a connection breaks. */
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

  /** Runs a worker until it ends or is killed with SIGKILL at its n-th contact with the outside; returns whether it survived. */
  async function work(url: string, killAt: number): Promise<boolean> {
    const child = spawn(process.execPath, [WORKER, url, `${killAt}`], { stdio: 'inherit' })
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
      child.once('exit', (...end) => resolve(end)),
    )
    if (signal !== 'SIGKILL' && code !== 0) throw new Error(`The worker ended with ${code}.`)
    return code === 0
  }

  /** As if the lease of the dead worker had run out, and the check for evidence were due. */
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
        const { id } = await createSocialPost(owner, { text }, new Date())
        lived = await work(network.url, killAt)
        const { status } = await db.socialPost.findUniqueOrThrow({ where: { id } })
        died.push(`${status}, ${timesOf(text)} times there`)
        // Set aside, so that the next worker does not take it until all have run.
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
      for (const post of await db.socialPost.findMany({ where: { workspace_id: owner.workspace_id } })) {
        const times = timesOf(post.text)
        expect(times).toBeLessThanOrEqual(1)
        // Published where the network has the post; otherwise its owner is asked.
        expect([post.status, post.uncertain]).toEqual(
          times === 1 ? ['published', false] : ['publishing', true],
        )
      }
    } finally {
      await network.close()
    }
  }, 300_000)
})

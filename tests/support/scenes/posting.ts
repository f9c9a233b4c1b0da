import * as fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'
import { db, pool } from '#lib/db/client'
import type { PublishedPost, SocialOutcome } from '#lib/providers/social/port'
import { fileStorage } from '#lib/services/files/storage'
import { countPosts } from '#lib/services/posts/count'
import { createSocialPost } from '#lib/services/posts/posts'
import { publishDue } from '#lib/services/posts/publish'
import { resolveSocialPost, settleUncertain } from '#lib/services/posts/settle'
import { aUser } from '#tests/support/scenes/factories'
import { anAccount, memoryNetwork } from '#tests/support/scenes/social'

// Set before any module reads the environment.
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'opener-posting-'))
process.env.DATA_DIR = folder
afterAll(() => fs.rmSync(folder, { recursive: true }))

const MINUTE = 60_000
export const start = new Date()
export const plus = (minutes: number) => new Date(start.getTime() + minutes * MINUTE)

export type Answer = Parameters<typeof memoryNetwork>[1]
export const gone = { outcome: 'unknown', response: 'The connection ended.' } as const
export const later = (seconds: number | null = null): SocialOutcome<PublishedPost> => ({
  outcome: 'refused_for_now',
  code: 'limit',
  response: 'Too many posts.',
  blames: 'sender',
  retry_after_seconds: seconds,
})

/** A network with an account, and the background functions to run at any minute. */
export async function stage(answer?: Answer) {
  let now = start
  const clock = () => now
  const network = memoryNetwork(clock, answer)
  const owner = await aUser()
  const account = await anAccount(owner, { is_default: true })
  const options = {
    pool: pool(),
    findProvider: network.findProvider,
    findStorage: fileStorage,
    clock,
    until: plus(10 ** 6),
  }
  const at = (minutes: number) => {
    now = plus(minutes)
    return options
  }
  const post = (fields: object = {}) => createSocialPost(owner, { text: 'Hello world', ...fields }, start)
  const read = (id: string) => db.socialPost.findUniqueOrThrow({ where: { id } })
  const resolve = (id: string, word: 'published' | 'publish_again', minutes = 0) =>
    resolveSocialPost(owner, id, word, network.findProvider, at(minutes).clock())
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

// A worker that publishes what is due and is killed with SIGKILL at its n-th contact with the outside. Each statement to the
// database and each network call counts twice: before it is made and after it was answered. With 0 it is not killed.
import pg from 'pg'
import { closeDatabase, pool } from '#lib/db/client'
import type { PublishedPost, SocialProvider } from '#lib/providers/social/port'
import { fileStorage } from '#lib/services/files/storage'
import { publishDue } from '#lib/services/posts/publish'
import { settleUncertain } from '#lib/services/posts/settle'

const [url = '', killAfter = '0'] = process.argv.slice(2)
let words = 0

function dieOr(): void {
  words += 1
  if (words === Number(killAfter)) process.kill(process.pid, 'SIGKILL')
}

/** Around one contact: the process dies before the call, or after the answer arrived and before it is used. */
async function said<T>(speak: () => Promise<T>): Promise<T> {
  dieOr()
  const answer = await speak()
  dieOr()
  return answer
}

const { query } = pg.Client.prototype
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
  const speak = () => Reflect.apply(query, this, given)
  // A pool passes a callback, which gets the answer: there only the moment before the call can be hit.
  if (typeof given.at(-1) !== 'function') return said(speak)
  dieOr()
  return speak()
} as typeof query

const unused = () => Promise.reject(new Error('This network is only posted on.'))
const idOf = (text: string) => `urn:${text}`
const postOf = (text: string): PublishedPost => ({ provider_post_id: idOf(text), social_id: null, url: null })
const network: SocialProvider = {
  name: 'sandbox',
  authLink: unused,
  account: unused,
  disconnect: unused,
  person: unused,
  act: unused,
  deletePost: unused,
  postMetrics: unused,
  messages: unused,
  connections: unused,
  events: () => null,
  publish: (_, { text }) =>
    said(async () => {
      await fetch(url, { method: 'POST', body: JSON.stringify({ text }) })
      return { outcome: 'accepted', response: '201', result: postOf(text) }
    }),
  recentPosts: () =>
    said(async () => {
      const texts = (await (await fetch(`${url}/recent`)).json()) as string[]
      return texts.map((text) => ({ ...postOf(text), text, at: new Date() }))
    }),
}

const options = {
  pool: pool(),
  findProvider: () => network,
  findStorage: fileStorage,
  clock: () => new Date(),
  until: new Date(Date.now() + 60_000),
}
await publishDue(options)
await settleUncertain(options)
await closeDatabase()

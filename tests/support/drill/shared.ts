import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { encode } from 'next-auth/jwt'
import pg from 'pg'
import { ROOT } from '#scripts/up/settings'
import { pause } from '#tests/support/drill/instance'
import type { Machine } from '#tests/support/drill/machines'

const token = (machine: Machine, email: string) =>
  execFileSync(process.execPath, [path.join(ROOT, 'scripts/token.ts'), email], {
    encoding: 'utf8',
    env: { ...process.env, DATA_DIR: machine.dataFolder, DATABASE_URL: '' },
  }).trim()

/**
 * Reads with one credential at all web machines in turn, more often than the limit per minute allows: how many reads passed, and how many
 * may pass.
 */
export async function rateInSum(webs: Machine[], perMinute: number) {
  const authorization = `Bearer ${token(webs[0] as Machine, 'rate@example.org')}`
  const started = performance.now()
  let passed = 0
  const asks = Array.from({ length: perMinute + 300 }, (_, i) => webs[i % webs.length])
  const lanes = Array.from({ length: 12 }, async () => {
    for (let web = asks.pop(); web; web = asks.pop()) {
      const { status } = await fetch(`${web.url}/api/v1/campaigns/?page_size=1`, {
        headers: { authorization },
      })
      if (status === 200) passed += 1
    }
  })
  await Promise.all(lanes)
  const seconds = (performance.now() - started) / 1000
  return { passed, at_most: Math.ceil(perMinute + (perMinute / 60) * seconds) }
}

/** A browser session of the demo account, which is tried at each machine. */
export async function aBrowser(databaseUrl: string, secret: string, cookieName: string) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ user_id: string; session_id: string }>(
    `INSERT INTO user_sessions (user_id, last_seen_at, proven_at, expires_at)
     SELECT user_id, now(), now(), now() + interval '1 day' FROM users WHERE email = 'demo@opener.local'
     RETURNING user_id, session_id`,
  )
  await client.end()
  const [session] = rows
  const value = await encode({ token: { sub: session?.user_id, sid: session?.session_id }, secret })
  const headers = { cookie: `${cookieName}=${value}` }
  const open = (machine: Machine, page: string, more = {}) =>
    fetch(`${machine.url}${page}`, { headers: { ...headers, ...more }, redirect: 'manual' })
  return {
    /** What each machine answers to a page request of a signed-in user. */
    pages: async (webs: Machine[]) =>
      Promise.all(webs.map(async (web) => (await open(web, '/campaigns')).status)),
    /** How long until a page served by `other` is notified of what `change` wrote. */
    async told(other: Machine, change: () => Promise<unknown>): Promise<number> {
      const before = (await open(other, '/live/datasets')).headers.get('etag') ?? ''
      await change()
      const from = performance.now()
      while ((await open(other, '/live/datasets', { 'if-none-match': before })).status === 304)
        await pause(50)
      return Math.round(performance.now() - from)
    },
  }
}

/** Requests a page of each machine over and over; returns how many requests failed, and how long the slowest took. */
export function watch(webs: Machine[]) {
  let isOver = false
  const authorization = `Bearer ${token(webs[0] as Machine, 'demo@opener.local')}`
  const seen = { asked: 0, failed: 0, slowest_ms: 0 }
  const lanes = webs.map(async (web) => {
    while (!isOver) {
      const from = performance.now()
      const response = await fetch(`${web.url}/api/v1/campaigns/`, {
        headers: { authorization },
        signal: AbortSignal.timeout(20_000),
      }).catch(() => null)
      seen.asked += 1
      if (response?.status !== 200) seen.failed += 1
      seen.slowest_ms = Math.max(seen.slowest_ms, Math.round(performance.now() - from))
      await pause(400)
    }
  })
  return async () => {
    isOver = true
    await Promise.all(lanes)
    return seen
  }
}

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { CreateTemplate, ListTemplates } from '#lib/contracts/messages/templates'
import { ReadHealth } from '#lib/contracts/meta'
import { CreateApiKey } from '#lib/contracts/workspaces/api-keys'
import { ReadCurrentUser } from '#lib/contracts/workspaces/auth'
import { db, pool } from '#lib/db/client'
import { mayMail, removeFullBuckets, takeToken } from '#lib/services/instance/rate-limits'
import { signInByPassword } from '#lib/services/workspaces/sign-in/by-password'
import { hashPassword } from '#lib/services/workspaces/sign-in/password-hashes'
import { call } from '#tests/support/call'
import { mcpClient } from '#tests/support/mcp'
import { aUser } from '#tests/support/scenes/factories'
import { aMember } from '#tests/support/scenes/team'

// Set before any module reads the environment.
process.env.RATE_LIMIT_READ = '4'
process.env.RATE_LIMIT_WRITE = '2'
process.env.RATE_LIMIT_WORKSPACE = '3'

const template = { name: 'T', content: { subject: 'S', body: 'B' } }

// Buckets refill with time, which stands still here however long the machine takes.
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterAll(() => void vi.useRealTimers())

/** Sets the buckets back, as if that much time had passed. */
async function elapse(seconds: number) {
  await pool().query('UPDATE rate_limits SET updated_at = updated_at - make_interval(secs => $1)', [seconds])
}

test('every answer says what is left; the fifth of four is 429 with a time to wait', async () => {
  const as = { as: await aUser() }
  const left = []
  for (let count = 0; count < 4; count += 1) {
    const { status, headers } = await call(ReadCurrentUser, as)
    expect([status, headers.get('ratelimit-limit')]).toEqual([200, '4'])
    expect(Number(headers.get('ratelimit-reset'))).toBeGreaterThan(0)
    left.push(headers.get('ratelimit-remaining'))
  }
  expect(left).toEqual(['3', '2', '1', '0'])

  const over = await call(ReadCurrentUser, as)
  expect(over.status).toBe(429)
  expect(over.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(Number(over.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(over.headers.get('ratelimit-remaining')).toBe('0')
  expect(over.error).toEqual({ detail: 'Too many requests. Wait and try again.' })
})

test('after the time to wait exactly one more goes', async () => {
  const as = { as: await aUser() }
  for (let count = 0; count < 5; count += 1) await call(ReadCurrentUser, as)
  const { headers, status } = await call(ReadCurrentUser, as)
  expect(status).toBe(429)
  await elapse(Number(headers.get('retry-after')))
  expect((await call(ReadCurrentUser, as)).status).toBe(200)
  expect((await call(ReadCurrentUser, as)).status).toBe(429)
})

test('reads and writes have buckets of their own, and a refused write changes nothing', async () => {
  const owner = await aUser()
  const statuses = []
  for (let count = 0; count < 3; count += 1)
    statuses.push((await call(CreateTemplate, { as: owner, body: template })).status)
  expect(statuses).toEqual([201, 201, 429])
  const listed = await call(ListTemplates, { as: owner })
  expect([listed.status, listed.body.total]).toEqual([200, 2])
})

test('each credential has a bucket of its own', async () => {
  const owner = await aUser()
  const { body } = await call(CreateApiKey, { as: owner, body: { name: 'Other' } })
  for (let count = 0; count < 5; count += 1) await call(ReadCurrentUser, { as: owner })
  expect((await call(ReadCurrentUser, { as: owner })).status).toBe(429)
  expect((await call(ReadCurrentUser, { token: body.key })).status).toBe(200)
  expect((await call(ReadCurrentUser, { as: await aUser() })).status).toBe(200)
})

type As = Parameters<typeof call<typeof ReadCurrentUser>>[1]
const read = async (times: number, as: As) => {
  const statuses: number[] = []
  for (let count = 0; count < times; count += 1) statuses.push((await call(ReadCurrentUser, as)).status)
  return statuses
}
async function aTeam(members: number) {
  const owner = await aUser()
  const others: { user_id: string }[] = []
  for (let count = 0; count < members; count += 1) others.push(await aMember(owner, 'member'))
  return [owner, ...others] as const
}

test('ten members and keys have three times what one has, however many they are', async () => {
  const [owner, ...members] = await aTeam(9)
  const { body } = await call(CreateApiKey, { as: owner, body: { name: 'Eleventh' } })
  const statuses: number[] = []
  for (const as of [owner, ...members]) statuses.push(...(await read(2, { as })))
  statuses.push(...(await read(2, { token: body.key })))
  expect(statuses).toEqual([...Array<number>(12).fill(200), ...Array<number>(10).fill(429)])
  await elapse(60)
  expect(await read(1, { token: body.key })).toEqual([200])
})

test('who goes on though refused takes nothing from the others', async () => {
  const [owner, abuser, colleague] = await aTeam(2)
  expect(await read(30, { as: abuser })).toContain(429)
  expect(await read(2, { as: colleague })).toEqual([200, 200])
  expect(await read(2, { as: owner })).toEqual([200, 200])
})

test('a workspace that has used up its share shuts nobody out elsewhere, nor from signing in', async () => {
  const password = 'correct horse battery staple'
  const [owner, member, ...others] = await aTeam(3)
  const [elsewhere] = await aTeam(0)
  const { workspace_id } = elsewhere
  await db.member.create({ data: { workspace_id, user_id: member?.user_id ?? '', role: 'member' } })
  const { email } = await db.user.update({
    where: { user_id: member?.user_id ?? '' },
    data: { password_hash: await hashPassword(password) },
  })
  const here = { 'x-workspace-id': owner.workspace_id }
  for (const as of [owner, member, ...others]) await read(5, { as, headers: here })
  expect(await read(1, { as: member, headers: here })).toEqual([429])
  expect(await read(2, { as: member, headers: { 'x-workspace-id': workspace_id } })).toEqual([200, 200])
  expect(await read(2, { as: elsewhere })).toEqual([200, 200])
  const signedIn = await signInByPassword({ email, password }, '203.0.113.7', new Date())
  expect(signedIn?.user_id).toBe(member?.user_id)
})

test('a refusal counts, and says what is left like any other answer', async () => {
  const owner = await aUser()
  const { body } = await call(CreateApiKey, { as: owner, body: { name: 'Reader', scopes: ['read'] } })
  const invalid = await call(ListTemplates, { token: body.key, query: { page: 0 } })
  expect([invalid.status, invalid.headers.get('ratelimit-remaining')]).toEqual([422, '3'])
  const forbidden = await call(CreateTemplate, { token: body.key, body: template })
  expect([forbidden.status, forbidden.headers.get('ratelimit-limit')]).toEqual([403, '2'])
})

test('tools are counted as the operations that they are, and the rest of the protocol as reads', async () => {
  const { client, call: tool } = await mcpClient(await aUser(), { mode: 'legacy' })
  // The handshake used two of the four reads.
  expect((await tool('readCurrentUser')).isError).toBe(false)
  expect((await tool('listTemplates')).isError).toBe(false)
  const { isError, said } = await tool('listTemplates')
  expect([isError, said.code, said.status]).toEqual([true, 'rate_limited', 429])
  expect(said.retry_after_seconds).toBeGreaterThanOrEqual(1)
  expect((await tool('createTemplate', template)).isError).toBe(false)
  await expect(client.listTools()).rejects.toThrow('rate_limited')
})

test('what is open to everybody is not limited', async () => {
  const { status, headers } = await call(ReadHealth)
  expect([status, headers.get('ratelimit-limit')]).toEqual([200, null])
})

test('callers at once never get more than the bucket holds', async () => {
  const now = new Date()
  const left = await Promise.all(Array.from({ length: 40 }, () => takeToken('crowd', 25, now)))
  expect(left.filter((tokens) => tokens >= 0)).toHaveLength(25)
})

test('a bucket never holds more than a minute, however long it rests, and a clock that goes back gives nothing', async () => {
  const now = Date.now()
  await takeToken('rest', 10, new Date(now))
  expect(await takeToken('rest', 10, new Date(now + 86_400_000))).toBe(9)
  expect(await takeToken('rest', 10, new Date(now))).toBe(8)
})

test('a bucket that was emptied while the clock was a day ahead fills again from when it is put back', async () => {
  const now = Date.now()
  const take = (at: number) => takeToken('ahead', 2, new Date(at))
  const DAY = 86_400_000
  expect([await take(now + DAY), await take(now + DAY), await take(now + DAY)]).toEqual([1, 0, -1])
  expect(await take(now)).toBe(-1)
  expect(await take(now + 60_000)).toBe(1)
})

test('clocks that are seconds apart fill no bucket twice', async () => {
  const now = Date.now()
  const take = (at: number) => takeToken('apart', 2, new Date(at))
  expect([await take(now + 30_000), await take(now), await take(now + 30_000)]).toEqual([1, 0, -1])
})

test('buckets that count nothing any more are removed, and nobody gains by it', async () => {
  const now = new Date()
  await takeToken('sweep:old', 2, new Date(now.getTime() - 61_000))
  await takeToken('sweep:new', 2, now)
  await takeToken('sweep:new', 2, now)
  expect((await removeFullBuckets(now)).removed).toBeGreaterThanOrEqual(1)
  const { rows } = await pool().query("SELECT bucket FROM rate_limits WHERE bucket LIKE 'sweep:%'")
  expect(rows).toEqual([{ bucket: 'sweep:new' }])
  expect(await takeToken('sweep:new', 2, now)).toBeLessThan(0)
  expect(await takeToken('sweep:old', 2, now)).toBe(1)
})

test('what is counted by the hour is kept for an hour', async () => {
  const now = Date.now()
  const at = (minutes: number) => new Date(now + minutes * 60_000)
  for (const minutes of [0, 0]) await mayMail('sweep', 'a@example.com', 2, at(minutes))
  await removeFullBuckets(at(32))
  expect(await mayMail('sweep', 'a@example.com', 2, at(32))).toBe(true)
  expect(await mayMail('sweep', 'a@example.com', 2, at(32))).toBe(false)
  await removeFullBuckets(at(93))
  expect((await pool().query("SELECT 1 FROM rate_limits WHERE bucket LIKE 'mails-sweep:%'")).rowCount).toBe(0)
})

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { DisconnectPostmaster, ReadPostmaster } from '#lib/contracts/domains/postmaster'
import { db } from '#lib/db/client'
import { AppError } from '#lib/errors'
import {
  authorizePostmaster,
  completePostmaster,
  disconnectPostmaster,
} from '#lib/services/domains/postmaster/accounts'
import { readDuePostmasters } from '#lib/services/domains/postmaster/read'
import { postmasterSummary, spamWarnings } from '#lib/services/domains/postmaster/summary'
import { completeMailboxOAuth } from '#lib/services/senders/grants/connect'
import { call } from '#tests/support/call'
import { added } from '#tests/support/scenes/domains'
import { aUser } from '#tests/support/scenes/factories'
import { aPostmasterServer } from '#tests/support/servers/postmaster'

// Set early: the environment is read once, on first use.
Object.assign(process.env, { SANDBOX_SMTP_PORT: '1025' })

const NOW = new Date('2026-06-15T12:00:00Z')
const hours = (count: number) => new Date(NOW.getTime() + count * 3_600_000)
const day = (back: number) => new Date(NOW.getTime() - back * 86_400_000).toISOString().slice(0, 10)

let server: Awaited<ReturnType<typeof aPostmasterServer>>
beforeAll(async () => {
  server = await aPostmasterServer()
})
afterAll(() => server.close())
afterEach(async () => {
  server.state.refusal = null
  server.state.stats.clear()
  server.state.asked = []
  await db.postmasterAccount.deleteMany()
})

let made = 0
async function aDomain() {
  const owner = { ...(await aUser()), session_id: crypto.randomUUID() }
  made += 1
  const domain = `counted-${made}.example.com`
  return { owner, domain, domain_id: (await added(owner, domain)).domain_id }
}
type Owner = Awaited<ReturnType<typeof aDomain>>['owner']

async function connected() {
  const scene = await aDomain()
  const stats = [...Array(30).keys()].flatMap((back) => [
    { metric: 'spam', date: day(back), value: { doubleValue: back === 3 ? 0.0031 : 0.0004 } },
    ...['spf', 'dkim', 'dmarc'].map((metric) => ({ metric, date: day(back), value: { floatValue: 1 } })),
    ...['rejected', 'deferred'].map((metric) => ({ metric, date: day(back), value: { doubleValue: 0.01 } })),
    { metric: 'low_reputation', date: day(back), value: { intValue: '0' } },
  ])
  server.state.stats.set(scene.domain, stats)
  return { ...scene, account: await connect(scene.owner, scene.domain_id) }
}
async function connect(owner: Owner, domain_id: string) {
  const { url } = await authorizePostmaster(owner, domain_id, NOW, server.find, 'google')
  return completePostmaster(owner, server.oauth.allow(url), NOW, server.find)
}
const summary = ({ owner, domain_id }: { owner: Owner; domain_id: string }, now = NOW) =>
  postmasterSummary(owner.workspace_id, domain_id, now)
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof AppError ? error.code : error),
  )

test('what Gmail counted of a domain is read when it is connected, over as many pages as it takes, and judged by Google’s limits', async () => {
  const scene = await connected()
  expect(scene.account).toEqual({
    domain_id: scene.domain_id,
    vendor: 'google',
    address: 'ana@company.test',
  })
  const { days, spam, account, said } = await summary(scene)
  expect(days).toHaveLength(30)
  expect(days.at(-4)).toEqual({
    date: day(3),
    spam: 0.0031,
    spf: 1,
    dkim: 1,
    dmarc: 1,
    rejected: 0.01,
    deferred: 0.01,
    low_reputation: 0,
  })
  expect(server.state.asked).toEqual([scene.domain, scene.domain])
  expect(spam).toMatchObject({ level: 'too_high', date: day(3), spam: 0.0031 })
  expect(spam?.warning).toContain(`0.31 % of the mail from ${scene.domain}`)
  expect(account).toMatchObject({ ended_said: null, next_read_at: hours(12) })
  expect(said).toBeNull()
  const warned = await spamWarnings(scene.owner.workspace_id, [scene], NOW.getTime())
  expect(warned).toEqual([{ domain_id: scene.domain_id, message: spam?.warning }])
  // A week later that day no longer counts, and nothing newer is known.
  expect((await summary(scene, hours(11 * 24))).spam).toBeNull()
})

test('it is read again twice a day, and what was known stays where Google has no time', async () => {
  const scene = await connected()
  expect(await readDuePostmasters(hours(11), server.find)).toEqual({ read: 0 })
  server.state.refusal = { status: 429, message: 'Quota exceeded.', reason: 'RESOURCE_EXHAUSTED' }
  expect(await readDuePostmasters(hours(12), server.find)).toEqual({ read: 1 })
  expect(await summary(scene)).toMatchObject({
    said: 'Quota exceeded.',
    account: { ended_said: null, next_read_at: hours(13) },
    spam: { level: 'too_high' },
  })
  server.state.refusal = null
  server.state.stats.set(scene.domain, [{ metric: 'spam', date: day(1), value: { doubleValue: 0.001 } }])
  expect(await readDuePostmasters(hours(13), server.find)).toEqual({ read: 1 })
  const now = await summary(scene)
  expect([now.said, now.days.length, now.spam?.level]).toEqual([null, 1, 'high'])
})

test('a domain that the account may not see says so, and the others are read', async () => {
  const scene = await connected()
  const hidden = await added(scene.owner, `hidden-${made}.example.com`)
  await readDuePostmasters(hours(12), server.find)
  const read = await postmasterSummary(scene.owner.workspace_id, hidden.domain_id, NOW)
  expect([read.said, read.days]).toEqual(['The caller does not have permission.', []])
  expect((await summary(scene)).read_at).toEqual(hours(12))
})

test('an API that is switched off for the instance’s client is said, and ends no account', async () => {
  const scene = await connected()
  const message = 'Gmail Postmaster Tools API has not been used in project 1 before or it is disabled.'
  server.state.refusal = { status: 403, message, reason: 'SERVICE_DISABLED' }
  await readDuePostmasters(hours(12), server.find)
  expect(await summary(scene)).toMatchObject({
    said: message,
    account: { ended_said: null, next_read_at: hours(13) },
  })
})

test('an account that was revoked at Google is asked nothing more until somebody signs in again', async () => {
  const scene = await connected()
  server.oauth.live.refresh.clear()
  await readDuePostmasters(hours(12), server.find)
  expect((await summary(scene)).account?.ended_said).toContain('revoked')
  const asked = server.oauth.calls.refresh
  expect(await readDuePostmasters(hours(48), server.find)).toEqual({ read: 0 })
  expect(server.oauth.calls.refresh).toBe(asked)
  await connect(scene.owner, scene.domain_id)
  expect((await summary(scene)).account?.ended_said).toBeNull()
})

test('a sign-in is of one browser, once, and for nothing else', async () => {
  const { owner, domain_id } = await aDomain()
  const { url } = await authorizePostmaster(owner, domain_id, NOW, server.find, 'google')
  const query = server.oauth.allow(url)
  const other = { ...owner, session_id: crypto.randomUUID() }
  expect(await codeOf(completePostmaster(other, query, NOW, server.find))).toBe('grant_invalid')
  const asMailbox = { vendor: 'google' as const, query }
  expect(await codeOf(completeMailboxOAuth(owner, asMailbox, NOW, server.oauth.vendors))).toBe(
    'grant_invalid',
  )
  expect(await codeOf(completePostmaster(owner, query, hours(1), server.find))).toBe('grant_invalid')
  expect(await codeOf(completePostmaster(owner, query, NOW, server.find))).toBeNull()
  expect(await codeOf(completePostmaster(owner, query, NOW, server.find))).toBe('grant_invalid')
})

test('a token is sealed for its workspace, and no answer has it', async () => {
  const { owner, domain_id } = await connected()
  const row = await db.postmasterAccount.findUniqueOrThrow({ where: { workspace_id: owner.workspace_id } })
  expect(row.refresh_token).toMatch(/^v\d/)
  const { text } = await call(ReadPostmaster, { as: owner, params: { domain_id } })
  expect(text).not.toContain('refresh')
})

test('whoever disconnects it tells Google, and what was read is gone', async () => {
  const scene = await connected()
  const { workspace_id } = scene.owner
  const revoked = server.oauth.calls.revoked.length
  await disconnectPostmaster(workspace_id, server.find)
  expect(server.oauth.calls.revoked).toHaveLength(revoked + 1)
  expect(await summary(scene)).toMatchObject({ account: null, days: [], read_at: null })
  expect((await call(DisconnectPostmaster, { as: scene.owner })).status).toBe(404)
})

test('where the instance has no client at Google, the sandbox counts, and says that it is one', async () => {
  const { owner, domain_id } = await aDomain()
  const { url, vendor } = await authorizePostmaster(owner, domain_id, NOW)
  expect(vendor).toBe('sandbox')
  await completePostmaster(owner, new URL(url).search.slice(1), NOW)
  const { account, days } = await postmasterSummary(owner.workspace_id, domain_id, NOW)
  expect(account).toMatchObject({ vendor: 'sandbox', address: 'postmaster@sandbox.example' })
  expect(days.length).toBeGreaterThan(20)
})

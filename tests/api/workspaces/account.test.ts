import { expect, test } from 'vitest'
import type { Scope } from '#lib/contracts/contract'
import { ExportAccount, ReadAccount, UpdateAccount } from '#lib/contracts/workspaces/account'
import { ReadCurrentUser } from '#lib/contracts/workspaces/auth'
import { ListSessions, RevokeSession } from '#lib/contracts/workspaces/sessions'
import { db, pool } from '#lib/db/client'
import { createApiKey } from '#lib/services/workspaces/api-keys'
import { ownedThrough } from '#lib/services/workspaces/owned-tables'
import { openSession, userOfSession } from '#lib/services/workspaces/sign-in/sessions'
import { issueToken } from '#lib/services/workspaces/tokens'
import { createUserWithPassword } from '#lib/services/workspaces/users'
import { call } from '#tests/support/call'
import { aCampaign, aDataset, aMailbox, aTemplate, aUser } from '#tests/support/scenes/factories'
import { dispatchAt, launched, MONDAY } from '#tests/support/scenes/launched'

const NOW = new Date()
const HOUR = 3_600
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)
const sessionOf = (owner: { user_id: string }, at = NOW) =>
  openSession(owner.user_id, { user_agent: 'Firefox/140', place: '203.0.113.77' }, at, HOUR)

test('name and time zone are changed, each alone, and nothing else can be', async () => {
  const owner = await aUser()
  const before = (await call(ReadAccount, { as: owner })).body
  expect(before).toMatchObject({ email: owner.email, timezone: 'UTC', tier: 'free', has_password: false })
  const renamed = await call(UpdateAccount, {
    as: owner,
    body: { name: '  Ada  ', tier: 'scale', email: 'x@y.z' },
  })
  expect([renamed.status, renamed.body]).toEqual([200, { ...before, name: 'Ada', version: 2 }])
  const moved = await call(UpdateAccount, { as: owner, body: { timezone: 'Europe/Berlin' } })
  expect(moved.body).toEqual({ ...before, name: 'Ada', timezone: 'Europe/Berlin', version: 3 })
  expect((await call(ReadAccount, { as: owner })).body).toEqual(moved.body)
})

test.each([{ timezone: 'Mars/Olympus' }, { name: '   ' }, { name: '' }, { name: 7 }])(
  '422 for %j, and nothing changes',
  async (body) => {
    const owner = await aUser()
    const before = (await call(ReadAccount, { as: owner })).body
    expect((await call(UpdateAccount, { as: owner, body })).status).toBe(422)
    expect((await call(ReadAccount, { as: owner })).body).toEqual(before)
  },
)

test('a key without the scope admin changes nothing of the account', async () => {
  const owner = await aUser()
  const { key } = await createApiKey(
    owner,
    { name: 'K', scopes: ['read', 'write', 'send'], expires_at: null },
    NOW,
  )
  expect((await call(UpdateAccount, { token: key, body: { name: 'Mallory' } })).status).toBe(403)
  expect((await call(ReadAccount, { token: key })).body.name).toBe(owner.name)
})

test('a browser that is signed in is listed with what it is and roughly where, until it is signed out', async () => {
  const owner = await aUser()
  const [first, second] = [await sessionOf(owner, later(-60)), await sessionOf(owner)]
  await openSession(owner.user_id, { user_agent: null, place: null }, later(-2 * HOUR), HOUR)
  const list = async () => (await call(ListSessions, { as: owner })).body
  const { items, total } = await list()
  expect([total, items.map(({ session_id }) => session_id)]).toEqual([2, [second, first]])
  expect(items[0]).toMatchObject({ user_agent: 'Firefox/140', place: '203.0.113.0/24' })
  expect(await userOfSession(owner.user_id, first, NOW)).toMatchObject({ user_id: owner.user_id })

  const params = { session_id: first }
  expect((await call(RevokeSession, { as: owner, params })).status).toBe(204)
  expect(await userOfSession(owner.user_id, first, NOW)).toBeNull()
  expect((await list()).items.map(({ session_id }) => session_id)).toEqual([second])
  expect((await call(RevokeSession, { as: owner, params })).error.detail).toBe('session_not_found')
  const { key } = await createApiKey(owner, { name: 'K', scopes: ['admin'], expires_at: null }, NOW)
  expect((await call(RevokeSession, { token: key, params: { session_id: second } })).status).toBe(403)
})

test('a token that was given in a session ends with it; a session serves its own user only', async () => {
  const owner = await aUser()
  const session_id = await sessionOf(owner)
  const token = await issueToken(owner.user_id, NOW, session_id)
  const who = async () => (await call(ReadCurrentUser, { token })).status
  expect(await who()).toBe(200)
  expect(await userOfSession((await aUser()).user_id, session_id, NOW)).toBeNull()
  await call(RevokeSession, { as: owner, params: { session_id } })
  expect(await who()).toBe(401)
})

test('when a session was last seen is written now and then, not at every request', async () => {
  const owner = await aUser()
  const session_id = await sessionOf(owner)
  const seen = async () => (await db.userSession.findUniqueOrThrow({ where: { session_id } })).last_seen_at
  await userOfSession(owner.user_id, session_id, later(240))
  expect(await seen()).toEqual(NOW)
  await userOfSession(owner.user_id, session_id, later(360))
  expect(await seen()).toEqual(later(360))
  expect(await userOfSession(owner.user_id, session_id, later(HOUR))).toBeNull()
})

type Line = { table?: string; row?: Record<string, unknown>; end?: true; rows?: number }
const exported = async (owner: { user_id: string }) => {
  const { status, headers, body } = await call(ExportAccount, { as: owner })
  expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson'])
  const lines = String(body).trimEnd().split('\n')
  return { text: String(body), lines: lines.map((line) => JSON.parse(line) as Line) }
}

test('only a key that may manage the account exports it', async () => {
  const owner = await aUser({ tier: 'scale' })
  const statusWith = async (scopes: Scope[]) => {
    const { key } = await createApiKey(owner, { name: 'K', scopes, expires_at: null }, new Date())
    return (await call(ExportAccount, { token: key })).status
  }
  expect(await statusWith(['read', 'write', 'send'])).toBe(403)
  expect(await statusWith(['admin'])).toBe(200)
})

test('by a key the export is of its workspace, and has nothing of the person who made it', async () => {
  const owner = await aUser()
  const mine = await aTemplate(owner)
  await sessionOf(owner)
  await db.identity.create({
    data: { issuer: 'https://id.example', subject: owner.user_id, user_id: owner.user_id },
  })
  const key = { name: 'K', scopes: ['admin' as const], expires_at: null }
  const token = (await createApiKey(owner, key, new Date())).key
  const byKey = String((await call(ExportAccount, { token })).body)
  expect(byKey).toContain(mine.template_id)
  const personal = ['users', 'identities', 'user_sessions', 'members'].map((table) => `"table":"${table}"`)
  const { text } = await exported(owner)
  for (const table of personal)
    expect([table, byKey.includes(table), text.includes(table)]).toEqual([table, false, true])
})

test('the export has every row of the owner and none of another, and says at its end that it is whole', async () => {
  const [owner, stranger] = [await aUser(), await aUser()]
  for (const user of [owner, stranger]) {
    await aTemplate(user)
    await aMailbox(user)
    await aCampaign(user, { dataset_id: (await aDataset(user, 5)).dataset_id })
  }
  const { text, lines } = await exported(owner)
  expect(lines[0]).toMatchObject({ export: 'opener', version: 1, user_id: owner.user_id })
  expect(lines.at(-1)).toEqual({ end: true, rows: lines.length - 2 })
  const count = (table: string) => lines.filter((line) => line.table === table).length
  expect(['users', 'templates', 'mailboxes', 'datasets', 'dataset_rows', 'campaigns'].map(count)).toEqual([
    1, 1, 1, 1, 5, 1,
  ])
  expect(text).not.toContain(stranger.user_id)
  expect(text).not.toContain(stranger.email)
})

test('the export has what a campaign did, and no secret whatever', async () => {
  const { owner, mailbox } = await launched({}, 2)
  await dispatchAt(MONDAY)
  await db.campaign.deleteMany({ where: { NOT: { user_id: owner.user_id } } })
  const made = await createUserWithPassword(`x${Date.now()}@example.com`, 'X', 'a secret password')
  if (!made) throw new Error('not made')
  await db.mailbox.updateMany({
    where: { mailbox_id: mailbox.mailbox_id },
    data: { smtp_password: 'v1.sealed', imap_password: 'v1.sealed' },
  })
  const { key } = await createApiKey(owner, { name: 'K', scopes: ['read'], expires_at: null }, NOW)
  const { lines, text } = await exported(owner)
  const count = (table: string) => lines.filter((line) => line.table === table).length
  expect([count('actions'), count('campaign_leads'), count('api_keys'), count('sender_days')]).toEqual([
    2, 2, 1, 1,
  ])
  for (const secret of ['v1.sealed', 'password"', 'digest', 'argon2id', key])
    expect(text).not.toContain(secret)
  expect((await exported(made)).text).not.toContain('argon2id')
  await db.campaign.deleteMany()
})

test('every table is somebody’s by its owner’s id or by a rule, or is known to be nobody’s', async () => {
  const NOBODYS = [
    'probe_slots',
    'mail_connections',
    '_prisma_migrations',
    'signing_keys',
    'used_grants',
    'stray_files',
    'sweeps',
    'wake',
    'backfills',
    'recipient_domains',
  ]
  const { rows } = await pool().query<{ name: string; owned: boolean }>(
    `SELECT t.table_name AS name, EXISTS (SELECT 1 FROM information_schema.columns c
       WHERE c.table_schema = 'public' AND c.table_name = t.table_name AND c.column_name IN ('user_id', 'workspace_id')) AS owned
     FROM information_schema.tables t WHERE t.table_schema = 'public' AND t.table_type = 'BASE TABLE'`,
  )
  const known = new Set([...ownedThrough('', []).map(({ name }) => name), ...NOBODYS])
  expect(rows.filter(({ name, owned }) => !owned && !known.has(name)).map(({ name }) => name)).toEqual([])
  expect(rows.length).toBeGreaterThan(25)
})

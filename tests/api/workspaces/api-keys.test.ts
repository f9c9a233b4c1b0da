import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Scope } from '#lib/contracts/contract'
import { CreateTemplate, ListTemplates } from '#lib/contracts/messages/templates'
import { CreateApiKey, ListApiKeys, RevokeApiKey } from '#lib/contracts/workspaces/api-keys'
import { ReadCurrentUser } from '#lib/contracts/workspaces/auth'
import { db } from '#lib/db/client'
import { actorOfApiKey } from '#lib/services/workspaces/key-admission'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'

type User = { workspace_id: string; user_id: string }

const create = (as: User, body: Record<string, unknown> = { name: 'CI' }) => call(CreateApiKey, { as, body })
const template = { name: 'T', content: { subject: 'S', body: 'B' } }

test('201 answers the raw key once; what is kept cannot be turned back into it', async () => {
  const owner = await aUser()
  const { status, body } = await create(owner)
  expect(status).toBe(201)
  expect(body.key).toMatch(/^opn_live_[0-9A-Za-z]{49}$/)
  expect(body).toMatchObject({
    name: 'CI',
    key_prefix: body.key.slice(0, 12),
    scopes: ['read', 'write', 'send'],
  })
  expect(body.key_prefix).toHaveLength(12)

  const row = await db.apiKey.findUniqueOrThrow({ where: { id: body.id } })
  expect(row.key_digest).toBe(createHash('sha256').update(body.key).digest('hex'))
  expect(JSON.stringify(row)).not.toContain(body.key.slice(12))
  const listed = await call(ListApiKeys, { as: owner })
  expect(JSON.stringify(listed.body)).not.toContain(body.key.slice(12))
  expect(JSON.stringify(listed.body)).not.toContain(row.key_digest)
})

test('a scope that is named twice is kept and answered once', async () => {
  const owner = await aUser()
  const { status, body } = await create(owner, { name: 'CI', scopes: ['read', 'send', 'read'] })
  expect([status, body.scopes]).toEqual([201, ['read', 'send']])
  const { keys } = (await call(ListApiKeys, { as: owner })).body
  expect(keys.map(({ scopes }) => scopes)).toEqual([['read', 'send']])
})

test('the list holds active keys only, newest first, with count and limit', async () => {
  const owner = await aUser({ tier: 'starter' })
  const [first, second, gone] = [await create(owner), await create(owner), await create(owner)]
  await call(RevokeApiKey, { as: owner, params: { id: gone.body.id } })
  const old = await create(owner)
  await db.apiKey.update({ where: { id: old.body.id }, data: { expires_at: new Date(Date.now() - 1) } })
  const { body } = await call(ListApiKeys, { as: owner })
  expect(body.keys.map((key) => key.id)).toEqual([second.body.id, first.body.id])
  expect(body).toMatchObject({ count: 2, tier_limit: 5 })
})

test('a key authenticates as its owner with its scopes', async () => {
  const owner = await aUser()
  const { body } = await create(owner, { name: 'Reader', scopes: ['read'] })
  const me = await call(ReadCurrentUser, { token: body.key })
  expect(me.body).toMatchObject({ workspace_id: owner.workspace_id, credential: 'api_key', scopes: ['read'] })
})

test.each([
  { scopes: ['read'], reads: 200, writes: 403 },
  { scopes: ['write'], reads: 403, writes: 201 },
  { scopes: ['read', 'write'], reads: 200, writes: 201 },
  { scopes: undefined, reads: 200, writes: 201 },
] satisfies { scopes: Scope[] | undefined; reads: number; writes: number }[])(
  'a key with $scopes reads: $reads, writes: $writes',
  async ({ scopes, reads, writes }) => {
    const { body } = await create(await aUser(), { name: 'Scoped', ...(scopes && { scopes }) })
    expect((await call(ListTemplates, { token: body.key })).status).toBe(reads)
    expect((await call(CreateTemplate, { token: body.key, body: template })).status).toBe(writes)
  },
)

test('a key cannot mint or revoke keys, not even with the admin scope', async () => {
  const owner = await aUser({ tier: 'starter' })
  const { body } = await create(owner, { name: 'Admin', scopes: ['admin', 'write', 'read', 'send'] })
  const minted = await call(CreateApiKey, { token: body.key, body: { name: 'Child' } })
  expect(minted.status).toBe(403)
  expect(minted.error).toMatchObject({ detail: 'keys_need_sign_in' })
  expect((await call(RevokeApiKey, { token: body.key, params: { id: body.id } })).status).toBe(403)
  expect(await db.apiKey.count({ where: { workspace_id: owner.workspace_id } })).toBe(1)
})

test.each([
  ['free', 2],
  ['starter', 5],
] as const)('403 at the limit of tier %s: %i active keys', async (tier, limit) => {
  const owner = await aUser({ tier })
  const made = []
  for (let count = 0; count < limit; count += 1) made.push(await create(owner))
  expect(made.map(({ status }) => status)).toEqual(Array(limit).fill(201))
  const over = await create(owner)
  expect([over.status, over.error.detail]).toEqual([403, 'tier_limit_reached'])
  await call(RevokeApiKey, { as: owner, params: { id: made[0]?.body.id ?? '' } })
  expect((await create(owner)).status).toBe(201)
})

test('of three creations at once a free account gets two', async () => {
  const owner = await aUser()
  const all = await Promise.all([1, 2, 3].map(() => create(owner)))
  expect(all.map(({ status }) => status).toSorted()).toEqual([201, 201, 403])
})

test('a revoked key is 401 at once, and revoking it again 404', async () => {
  const owner = await aUser()
  const { body } = await create(owner)
  const as = { as: owner, params: { id: body.id } }
  expect((await call(ReadCurrentUser, { token: body.key })).status).toBe(200)
  expect((await call(RevokeApiKey, as)).status).toBe(204)
  expect((await call(ReadCurrentUser, { token: body.key })).status).toBe(401)
  const again = await call(RevokeApiKey, as)
  expect([again.status, again.error.detail]).toEqual([404, 'api_key_not_found'])
})

test('an expired key is 401 from its very instant', async () => {
  const expires_at = new Date(Date.now() + 3_600_000)
  const { body } = await create(await aUser(), { name: 'Short', expires_at: expires_at.toISOString() })
  expect(await actorOfApiKey(body.key, '', new Date(expires_at.getTime() - 1))).not.toBeNull()
  expect(await actorOfApiKey(body.key, '', expires_at)).toBeNull()
})

test('the last use is written at most once a minute', async () => {
  const { body } = await create(await aUser())
  const start = Date.now()
  const lastUseAfter = async (ms: number) => {
    await actorOfApiKey(body.key, '', new Date(start + ms))
    const row = await db.apiKey.findUniqueOrThrow({ where: { id: body.id } })
    return row.last_used_at?.getTime()
  }
  expect(await lastUseAfter(0)).toBe(start)
  expect(await lastUseAfter(59_000)).toBe(start)
  expect(await lastUseAfter(61_000)).toBe(start + 61_000)
})

test.each([
  ['no name', {}],
  ['an empty name', { name: '' }],
  ['a name too long', { name: 'x'.repeat(101) }],
  ['no scope at all', { name: 'x', scopes: [] }],
  ['an unknown scope', { name: 'x', scopes: ['root'] }],
  ['an end that is no date', { name: 'x', expires_at: 'tomorrow' }],
  ['an end that has passed', { name: 'x', expires_at: '2020-01-01T00:00:00Z' }],
])('422 for %s, and no key is made', async (_, body) => {
  const owner = await aUser()
  expect((await create(owner, body)).status).toBe(422)
  expect(await db.apiKey.count({ where: { workspace_id: owner.workspace_id } })).toBe(0)
})

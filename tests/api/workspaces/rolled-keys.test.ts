import { expect, test } from 'vitest'
import { CreateApiKey, ListApiKeys, RevokeApiKey, RollApiKey } from '#lib/contracts/workspaces/api-keys'
import { ReadCurrentUser } from '#lib/contracts/workspaces/auth'
import { db } from '#lib/db/client'
import { createApiKey, rollApiKey } from '#lib/services/workspaces/api-keys'
import { actorOfApiKey } from '#lib/services/workspaces/key-admission'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'
import { aMember } from '#tests/support/scenes/team'

const HOUR = 3_600_000
const NOW = new Date('2026-11-23T09:00:00Z')
const after = (ms: number) => new Date(NOW.getTime() + ms)
const rights = {
  name: 'CI',
  scopes: ['read' as const],
  permissions: { campaigns: 'read' as const },
  allowed_networks: ['10.0.0.0/8'],
}
const FROM = '10.0.0.1'

test('the new key has the rights of the old one, which answers until the overlap is over', async () => {
  const owner = await aUser()
  const old = await createApiKey(owner, { ...rights, expires_at: after(1_000 * HOUR) }, NOW)
  const fresh = await rollApiKey(owner, old.id, 24, after(10 * HOUR))
  expect(fresh).toMatchObject({ ...rights, expires_at: after(1_010 * HOUR), replaced_by: null })
  expect(fresh.key).not.toBe(old.key)
  for (const [at, isGood] of [
    [10 * HOUR, true],
    [34 * HOUR - 1, true],
    [34 * HOUR, false],
  ] as const) {
    expect((await actorOfApiKey(old.key, FROM, after(at))) !== null).toBe(isGood)
    expect(await actorOfApiKey(fresh.key, FROM, after(at))).toMatchObject({ permissions: rights.permissions })
  }
  const row = await db.apiKey.findUniqueOrThrow({ where: { id: old.id } })
  expect(row.replaced_by).toBe(fresh.id)
})

test('an old key never lives longer by being rolled', async () => {
  const owner = await aUser()
  const old = await createApiKey(owner, { ...rights, expires_at: after(HOUR) }, NOW)
  await rollApiKey(owner, old.id, 168, NOW)
  expect(await db.apiKey.findUnique({ where: { id: old.id } })).toMatchObject({ expires_at: after(HOUR) })
})

test('rolled without an overlap the old key is 401 at once', async () => {
  const owner = await aUser()
  const { body: old } = await call(CreateApiKey, { as: owner, body: { name: 'CI' } })
  const rolled = await call(RollApiKey, { as: owner, params: { id: old.id }, body: { overlap_hours: 0 } })
  expect([rolled.status, rolled.body.expires_at]).toEqual([201, null])
  expect((await call(ReadCurrentUser, { token: old.key })).status).toBe(401)
  expect((await call(ReadCurrentUser, { token: rolled.body.key })).status).toBe(200)
})

test('a full tier can roll, one roll at a time, and gains no key by it', async () => {
  const owner = await aUser()
  const [{ body: first }] = [
    await call(CreateApiKey, { as: owner, body: { name: 'One' } }),
    await call(CreateApiKey, { as: owner, body: { name: 'Two' } }),
  ]
  const roll = (id: string) => call(RollApiKey, { as: owner, params: { id }, body: {} })
  const rolled = await roll(first.id)
  expect(rolled.status).toBe(201)
  for (const id of [first.id, rolled.body.id]) {
    const again = await roll(id)
    expect([again.status, again.error.detail]).toEqual([409, 'key_roll_under_way'])
  }
  expect((await call(CreateApiKey, { as: owner, body: { name: 'Three' } })).status).toBe(403)
  const { keys } = (await call(ListApiKeys, { as: owner })).body
  expect(keys.map(({ name, replaced_by }) => [name, replaced_by])).toEqual([
    ['One', null],
    ['Two', null],
    ['One', rolled.body.id],
  ])
  await call(RevokeApiKey, { as: owner, params: { id: first.id } })
  expect((await roll(rolled.body.id)).status).toBe(201)
})

test('of two rolls at once one is made', async () => {
  const owner = await aUser()
  const { body } = await call(CreateApiKey, { as: owner, body: { name: 'CI' } })
  const both = await Promise.all(
    [1, 2].map(() => call(RollApiKey, { as: owner, params: { id: body.id }, body: {} })),
  )
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
})

test('a key rolls no key, nobody rolls another’s, and the overlap is a week at most', async () => {
  const owner = await aUser()
  const { body: made } = await call(CreateApiKey, { as: owner, body: { name: 'CI', scopes: ['admin'] } })
  const asked = { params: { id: made.id }, body: {} }
  expect((await call(RollApiKey, { token: made.key, ...asked })).status).toBe(403)
  expect((await call(RollApiKey, { as: await aUser(), ...asked })).status).toBe(404)
  for (const overlap_hours of [-1, 169, 1.5])
    expect((await call(RollApiKey, { as: owner, ...asked, body: { overlap_hours } })).status).toBe(422)
  expect(await db.apiKey.count({ where: { workspace_id: owner.workspace_id } })).toBe(1)
})

test('a key that another rolls acts as them, with no more than the role of the old one', async () => {
  const owner = await aUser({ tier: 'scale' })
  const { workspace_id } = owner
  const [admin, other] = [await aMember(owner, 'admin'), await aMember(owner, 'admin')]
  const { body: old } = await call(CreateApiKey, { as: admin, body: { name: 'CI' } })
  const roll = (as: { user_id: string; workspace_id: string }, id: string) =>
    call(RollApiKey, { as, params: { id }, body: { overlap_hours: 0 } })
  const where = { workspace_id_user_id: { workspace_id, user_id: admin.user_id } }
  await db.member.update({ where, data: { role: 'member' } })
  const { body } = await roll(other, old.id)
  expect((await call(ReadCurrentUser, { token: body.key })).body).toMatchObject({
    email: other.email,
    role: 'member',
  })
  // When its creator rolls it, the role stays the same.
  expect((await roll(other, body.id)).body.role).toBe('member')
  const { body: own } = await call(CreateApiKey, { as: other, body: { name: 'Own' } })
  expect((await roll(other, own.id)).body.role).toBeNull()
  const { body: gone } = await call(CreateApiKey, { as: other, body: { name: 'Gone' } })
  await db.member.delete({ where: { workspace_id_user_id: { workspace_id, user_id: other.user_id } } })
  const refused = await roll(owner, gone.id)
  expect([refused.status, refused.error.detail]).toEqual([409, 'invalid_state'])
  expect(await db.apiKey.findUnique({ where: { id: gone.id } })).toMatchObject({ replaced_by: null })
})

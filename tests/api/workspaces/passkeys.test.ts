import { expect, test } from 'vitest'
import { RemovePassword } from '#lib/contracts/workspaces/account'
import { ListAuditEvents } from '#lib/contracts/workspaces/audit'
import {
  AddPasskey,
  ListPasskeys,
  RemovePasskey,
  RenamePasskey,
  StartPasskey,
} from '#lib/contracts/workspaces/passkeys'
import { db } from '#lib/db/client'
import { askForPasskey, signInByPasskey } from '#lib/services/workspaces/sign-in/by-passkey'
import { issueToken } from '#lib/services/workspaces/tokens'
import { createUserWithPassword } from '#lib/services/workspaces/users'
import { call } from '#tests/support/call'
import { anAuthenticator } from '#tests/support/doubles/authenticator'
import { aUser } from '#tests/support/scenes/factories'

const PLACE = '203.0.113.7'
const MINUTE = 60_000

async function aPerson() {
  const email = `passkey-${crypto.randomUUID()}@example.com`
  const user = await createUserWithPassword(email, 'P', 'correct horse battery')
  if (!user) throw new Error('the address was taken')
  return user
}

async function withPasskey(device = anAuthenticator()) {
  const owner = await aPerson()
  const { body } = await call(StartPasskey, { as: owner })
  const added = await call(AddPasskey, {
    as: owner,
    body: { name: 'Laptop', answer: device.create(body.options) },
  })
  expect(added.status).toBe(201)
  return { owner, device, passkey_id: added.body.passkey_id }
}

const asked = async (now = new Date()) => (await askForPasskey({ purpose: 'sign_in' }, now)).options
const enter = async (answer: unknown, now = new Date()) =>
  (await signInByPasskey(answer as Parameters<typeof signInByPasskey>[0], PLACE, now))?.user_id ?? null

test('a passkey that was added signs its owner in without an address, again and again', async () => {
  const { owner, device } = await withPasskey()
  for (let times = 0; times < 2; times += 1)
    expect(await enter(device.get(await asked(), { userHandle: owner.user_id }))).toBe(owner.user_id)
  const { body } = await call(ListPasskeys, { as: owner })
  expect(body.items).toMatchObject([{ name: 'Laptop', backed_up: false }])
  expect(body.items[0]?.last_used_at).not.toBeNull()
  expect(JSON.stringify(body)).not.toContain(device.credential_id)
  const log = await call(ListAuditEvents, { as: owner })
  expect(log.body.items.map(({ operation }) => operation)).toEqual(['addPasskey'])
})

test('an answer is good once, for five minutes, and only for the question it answers', async () => {
  const { owner, device } = await withPasskey()
  const answer = device.get(await asked())
  expect([await enter(answer), await enter(answer)]).toEqual([owner.user_id, null])
  const late = device.get(await asked(new Date(Date.now() - 6 * MINUTE)))
  expect(await enter(late)).toBeNull()
  expect(await enter(device.get({ challenge: Buffer.from('ps.made-up').toString('base64url') }))).toBeNull()
  const { options } = await askForPasskey({ purpose: 'confirm', user_id: owner.user_id }, new Date())
  expect(await enter(device.get(options))).toBeNull()
})

test.each([
  ['of another site', { origin: 'https://evil.example' }],
  ['for another site', { rpId: 'evil.example' }],
  ['without a look at who holds it', { userVerified: false }],
  ['that names another owner', { userHandle: crypto.randomUUID() }],
])('an answer %s opens nothing', async (_, says) => {
  const { device } = await withPasskey()
  expect(await enter(device.get(await asked(), says))).toBeNull()
})

test('a passkey that was copied, whose counter stands still, opens nothing', async () => {
  const { owner, device } = await withPasskey()
  expect(await enter(device.get(await asked(), { counter: 9 }))).toBe(owner.user_id)
  expect(await enter(device.get(await asked(), { counter: 9 }))).toBeNull()
  expect(await enter(device.get(await asked(), { counter: 10 }))).toBe(owner.user_id)
})

test('a challenge adds one passkey, of the owner it was given to, and no device twice', async () => {
  const [owner, stranger] = [await aPerson(), await aPerson()]
  const { body } = await call(StartPasskey, { as: owner })
  const device = anAuthenticator()
  const answer = device.create(body.options)
  const add = (as: { user_id: string }, given: unknown) =>
    call(AddPasskey, { as, body: { name: 'Phone', answer: given } })
  const stolen = await add(stranger, answer)
  expect([stolen.status, stolen.error.detail]).toEqual([409, 'grant_invalid'])
  expect((await add(owner, answer)).status).toBe(201)
  const again = await add(owner, answer)
  expect([again.status, again.error.detail]).toEqual([409, 'grant_invalid'])
  const { body: next } = await call(StartPasskey, { as: owner })
  expect(next.options.excludeCredentials).toMatchObject([{ id: device.credential_id }])
  const twice = await add(owner, device.create(next.options))
  expect([twice.status, twice.error.detail]).toEqual([409, 'passkey_exists'])
  const { body: other } = await call(StartPasskey, { as: owner })
  const unseen = await add(owner, anAuthenticator().create(other.options, { userVerified: false }))
  expect(unseen.status).toBe(422)
})

test('another owner’s passkey is 404, to rename and to remove', async () => {
  const { passkey_id } = await withPasskey()
  const stranger = await aUser()
  const params = { passkey_id }
  const body = { name: 'Taken over' }
  expect((await call(RenamePasskey, { as: stranger, params, body })).status).toBe(404)
  expect((await call(RemovePasskey, { as: stranger, params })).status).toBe(404)
})

test('a passkey is renamed and removed, and then opens nothing', async () => {
  const { owner, device, passkey_id } = await withPasskey()
  const params = { passkey_id }
  const renamed = await call(RenamePasskey, { as: owner, params, body: { name: 'Old laptop' } })
  expect(renamed.body).toMatchObject({ name: 'Old laptop', version: 2 })
  expect((await call(RemovePasskey, { as: owner, params })).status).toBe(204)
  expect(await enter(device.get(await asked()))).toBeNull()
})

test('an account may live by a passkey alone, and the last way in stays', async () => {
  const { owner, device, passkey_id } = await withPasskey()
  expect((await call(RemovePassword, { as: owner })).status).toBe(204)
  expect((await call(RemovePassword, { as: owner })).error.detail).toBe('invalid_state')
  const last = await call(RemovePasskey, { as: owner, params: { passkey_id } })
  expect([last.status, last.error.detail]).toEqual([409, 'last_way_in'])
  expect(await enter(device.get(await asked()))).toBe(owner.user_id)
  const other = await aPerson()
  expect((await call(RemovePassword, { as: other })).error.detail).toBe('last_way_in')
  expect((await db.user.findUnique({ where: { user_id: other.user_id } }))?.password_hash).not.toBeNull()
})

test('of two ways in that are removed at once, one stays', async () => {
  const { owner, passkey_id } = await withPasskey()
  const both = await Promise.all([
    call(RemovePassword, { as: owner }),
    call(RemovePasskey, { as: owner, params: { passkey_id } }),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual([204, 409])
})

test('factors are changed only by whoever proved who they are within 15 minutes', async () => {
  const { owner, passkey_id } = await withPasskey()
  const token = await issueToken(owner.user_id, new Date(Date.now() - 16 * MINUTE))
  for (const answer of [
    await call(StartPasskey, { token }),
    await call(RemovePasskey, { token, params: { passkey_id } }),
    await call(RemovePassword, { token }),
  ])
    expect([answer.status, answer.error.detail]).toEqual([403, 'proof_outdated'])
})

test('wrong passkeys from one place are stopped after twenty', async () => {
  const { device } = await withPasskey()
  const place = '198.51.100.77'
  const wrong = async () =>
    signInByPasskey(
      device.get({ challenge: 'AAAA' }) as Parameters<typeof signInByPasskey>[0],
      place,
      new Date('2030-01-01T00:00:00Z'),
    )
  for (let times = 0; times < 20; times += 1) expect(await wrong()).toBeNull()
  await expect(wrong()).rejects.toMatchObject({ code: 'rate_limited' })
})

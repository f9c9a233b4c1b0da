import { expect, test } from 'vitest'
import { ApplyReferral, ReadReferral } from '#lib/contracts/billing/billing'
import { ListApiKeys } from '#lib/contracts/workspaces/api-keys'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'

const codeOf = async (user: { user_id: string }) =>
  (await call(ReadReferral, { as: user })).body.referral_code
const apply = async (user: { user_id: string }, referral_code: string) =>
  (await call(ApplyReferral, { as: user, body: { referral_code } })).body.applied
const limitOf = async (user: { user_id: string }) => (await call(ListApiKeys, { as: user })).body.tier_limit

test('a code is applied once, and both sides may hold one more API key', async () => {
  const [old, young, other] = [await aUser(), await aUser(), await aUser()]
  const code = await codeOf(old)
  expect(await codeOf(old)).toBe(code)
  expect(await apply(young, ` ${code.toUpperCase()} `)).toBe(true)
  expect([await limitOf(old), await limitOf(young)]).toEqual([3, 3])
  expect(await apply(young, code)).toBe(false)
  expect(await apply(young, await codeOf(other))).toBe(false)
  expect((await call(ReadReferral, { as: old })).body).toMatchObject({
    referred_count: 1,
    extra_api_keys: 1,
    has_applied: false,
  })
  expect((await call(ReadReferral, { as: young })).body.has_applied).toBe(true)
})

test('an unknown code, one’s own, and that of somebody whom one has referred do nothing', async () => {
  const [old, young] = [await aUser(), await aUser()]
  expect(await apply(old, 'nobody')).toBe(false)
  expect(await apply(old, await codeOf(old))).toBe(false)
  await apply(young, await codeOf(old))
  expect(await apply(old, await codeOf(young))).toBe(false)
  expect(await limitOf(old)).toBe(3)
})

test('of two that name each other at once one counts', async () => {
  const [one, two] = [await aUser(), await aUser()]
  const [codeOne, codeTwo] = [await codeOf(one), await codeOf(two)]
  const applied = await Promise.all([apply(one, codeTwo), apply(two, codeOne)])
  expect(applied.filter(Boolean)).toHaveLength(1)
})

test('referrals add ten keys and no more', async () => {
  const old = await aUser()
  await db.workspace.update({ where: { workspace_id: old.workspace_id }, data: { extra_api_keys: 10 } })
  expect(await apply(await aUser(), await codeOf(old))).toBe(true)
  expect(await limitOf(old)).toBe(12)
})

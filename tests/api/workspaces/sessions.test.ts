import { expect, test } from 'vitest'
import { ReadCurrentUser } from '#lib/contracts/workspaces/auth'
import { ListSessions, RevokeOtherSessions } from '#lib/contracts/workspaces/sessions'
import { authOptions } from '#lib/http/sign-in/auth-options'
import { createApiKey } from '#lib/services/workspaces/api-keys'
import { closeSession, openSession, userOfSession } from '#lib/services/workspaces/sign-in/sessions'
import { issueToken } from '#lib/services/workspaces/tokens'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'

// Set before any module reads the environment.
process.env.NEXTAUTH_SECRET ||= 'a secret of the tests'

const NOW = new Date()
const DAY = 24 * 3600
const later = (days: number) => new Date(NOW.getTime() + days * DAY * 1000)
const sessionOf = ({ user_id }: { user_id: string }, at = NOW) =>
  openSession(user_id, { user_agent: 'Firefox/140', place: '203.0.113.77' }, at, 30 * DAY)

test('a browser that is left alone for 14 days is signed out; one that is used lasts its thirty days, and no longer', async () => {
  const owner = await aUser()
  const [idle, used] = [await sessionOf(owner), await sessionOf(owner)]
  const serves = async (session: string, days: number) =>
    (await userOfSession(owner.user_id, session, later(days))) !== null
  for (const days of [10, 20, 29]) expect(await serves(used, days)).toBe(true)
  expect(await serves(used, 30)).toBe(false)
  expect(await serves(idle, 13.9)).toBe(true)
  expect([await serves(idle, 27.8), await serves(idle, 27.95)]).toEqual([true, true])
  const forgotten = await sessionOf(owner)
  expect(await serves(forgotten, 14)).toBe(false)
})

test('one that was left alone is not listed, and its token ends with it', async () => {
  const owner = await aUser()
  const session = await sessionOf(owner, later(-15))
  expect((await call(ListSessions, { as: owner })).body.total).toBe(0)
  const token = await issueToken(owner.user_id, NOW, session)
  expect((await call(ReadCurrentUser, { token })).status).toBe(401)
})

test('signing out ends what a copied cookie stands for, and signing out again is nothing', async () => {
  const owner = await aUser()
  const session = await sessionOf(owner)
  expect(await closeSession(owner.user_id, session, NOW)).toBe(true)
  expect(await userOfSession(owner.user_id, session, NOW)).toBeNull()
  expect(await closeSession(owner.user_id, session, NOW)).toBe(false)
})

test('so does signing out at next-auth’s own address', async () => {
  const owner = await aUser()
  const session = await sessionOf(owner)
  const token = { sub: owner.user_id, sid: session }
  await authOptions().events?.signOut?.({ token, session: {} as never })
  expect(await userOfSession(owner.user_id, session, NOW)).toBeNull()
})

test('everything else is signed out at once: not this browser, nor another’s, nor a key', async () => {
  const [owner, stranger] = [await aUser(), await aUser()]
  const [here, there, theirs] = [await sessionOf(owner), await sessionOf(owner), await sessionOf(stranger)]
  const { key } = await createApiKey(owner, { name: 'K', scopes: ['read', 'admin'], expires_at: null }, NOW)
  expect((await call(RevokeOtherSessions, { token: key })).status).toBe(403)
  const token = await issueToken(owner.user_id, NOW, here)
  const tokenThere = await issueToken(owner.user_id, NOW, there)
  expect((await call(RevokeOtherSessions, { token })).status).toBe(204)
  expect(await userOfSession(owner.user_id, here, NOW)).not.toBeNull()
  expect(await userOfSession(owner.user_id, there, NOW)).toBeNull()
  expect(await userOfSession(stranger.user_id, theirs, NOW)).not.toBeNull()
  expect((await call(ReadCurrentUser, { token: tokenThere })).status).toBe(401)
  expect((await call(ReadCurrentUser, { token: key })).status).toBe(200)
  expect((await call(RevokeOtherSessions, { token })).status).toBe(204)
})

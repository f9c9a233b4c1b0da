import { expect, test } from 'vitest'
import { ChangePassword } from '#lib/contracts/workspaces/account'
import { ListAuditEvents } from '#lib/contracts/workspaces/audit'
import { ReadCurrentUser } from '#lib/contracts/workspaces/auth'
import { db } from '#lib/db/client'
import { createApiKey } from '#lib/services/workspaces/api-keys'
import { signInByPassword } from '#lib/services/workspaces/sign-in/by-password'
import { passwordLink, resetPassword } from '#lib/services/workspaces/sign-in/passwords'
import { openSession, userOfSession } from '#lib/services/workspaces/sign-in/sessions'
import { issueToken } from '#lib/services/workspaces/tokens'
import { createUserWithPassword } from '#lib/services/workspaces/users'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'

const OLD = 'correct horse battery'
const NEW = 'a new and better one'
const PLACE = '203.0.113.7'
const HOUR = 3_600_000

async function aPerson() {
  const now = new Date()
  const user = await createUserWithPassword(`pass-${crypto.randomUUID()}@example.com`, 'P', OLD)
  if (!user) throw new Error('the address was taken')
  const open = () => openSession(user.user_id, { user_agent: null, place: null }, now, 3600)
  const [here, elsewhere] = [await open(), await open()]
  const { key } = await createApiKey(user, { name: 'K', scopes: ['read'], expires_at: null }, now)
  const isAlive = async (session: string) => (await userOfSession(user.user_id, session, new Date())) !== null
  const opensBy = async (password: string) =>
    (await signInByPassword({ email: user.email, password }, PLACE, new Date())) !== null
  const hasKey = async () => (await call(ReadCurrentUser, { token: key })).status === 200
  return { ...user, here, elsewhere, key, isAlive, opensBy, hasKey }
}
const change = (token: string, current_password = OLD, new_password = NEW) =>
  call(ChangePassword, { token, body: { current_password, new_password } })

test('a changed password is the only one; other browsers end, this one and API keys go on, and the log has it', async () => {
  const person = await aPerson()
  const token = await issueToken(person.user_id, new Date(), person.here)
  expect((await change(token)).status).toBe(204)
  expect([await person.opensBy(OLD), await person.opensBy(NEW)]).toEqual([false, true])
  expect([await person.isAlive(person.here), await person.isAlive(person.elsewhere)]).toEqual([true, false])
  expect(await person.hasKey()).toBe(true)
  const { items } = (await call(ListAuditEvents, { as: person })).body
  expect(items).toMatchObject([{ operation: 'changePassword', by: 'token', target: {} }])
  expect(JSON.stringify(items)).not.toMatch(/horse|better/)
})

test('the current password is asked for, and guessed at five times a minute', async () => {
  const person = await aPerson()
  const token = await issueToken(person.user_id, new Date(), person.here)
  for (let times = 0; times < 5; times += 1) {
    const { status, error } = await change(token, 'not it at all')
    expect([status, error?.details]).toMatchObject([422, [{ loc: ['body', 'current_password'] }]])
  }
  expect((await change(token)).status).toBe(429)
  expect([await person.opensBy(OLD), await person.isAlive(person.elsewhere)]).toEqual([true, true])
})

test('of two who change it at once by the same password, one does', async () => {
  const person = await aPerson()
  const [mine, theirs] = [person.here, person.elsewhere]
  const both = await Promise.all(
    [mine, theirs].map(async (session, index) =>
      change(await issueToken(person.user_id, new Date(), session), OLD, `${NEW} ${index}`),
    ),
  )
  expect(both.map(({ status }) => status).toSorted()).toEqual([204, 422])
  const won = both.findIndex(({ status }) => status === 204)
  expect([await person.opensBy(`${NEW} ${won}`), await person.opensBy(`${NEW} ${1 - won}`)]).toEqual([
    true,
    false,
  ])
  expect([await person.isAlive(mine), await person.isAlive(theirs)]).toEqual([won === 0, won === 1])
})

test.each([
  ['a short one', 'ninechars'],
  ['one with NUL', 'long enough\0'],
  ['one that is tried first', 'Manchester2024!'],
])('%s is refused', async (_, new_password) => {
  const person = await aPerson()
  expect((await change(await issueToken(person.user_id, new Date()), OLD, new_password)).status).toBe(422)
  expect(await person.opensBy(OLD)).toBe(true)
})

test('no API key changes a password', async () => {
  const person = await aPerson()
  expect((await change(person.key)).status).toBe(403)
})

test('an account without a password is given its first one soon after a proof, and never by asking alone', async () => {
  const { user_id, email } = await aUser()
  const body = { new_password: NEW }
  const late = await issueToken(user_id, new Date(Date.now() - 16 * 60_000))
  expect((await call(ChangePassword, { token: late, body })).error.detail).toBe('proof_outdated')
  const token = await issueToken(user_id, new Date())
  expect((await call(ChangePassword, { token, body })).status).toBe(204)
  expect(await signInByPassword({ email, password: NEW }, PLACE, new Date())).not.toBeNull()
  // From now on there is a current password to ask for.
  expect((await call(ChangePassword, { token, body })).status).toBe(422)
})

test('a link sets a password once, within the hour, and signs every browser out', async () => {
  const person = await aPerson()
  const now = new Date()
  const token = (link: { url: string }) => new URL(link.url).pathname.replace('/reset-password/', '')
  const old = token(await passwordLink(person.user_id, now))
  const link = token(await passwordLink(person.user_id, now))
  const gone = { code: 'grant_invalid' }
  await expect(resetPassword(old, NEW, now)).rejects.toMatchObject(gone)
  await expect(resetPassword(link, NEW, new Date(now.getTime() + HOUR))).rejects.toMatchObject(gone)
  expect(await resetPassword(link, NEW, now)).toMatchObject({ user_id: person.user_id })
  await expect(resetPassword(link, 'another one yet', now)).rejects.toMatchObject(gone)
  expect([await person.opensBy(OLD), await person.opensBy(NEW)]).toEqual([false, true])
  expect([await person.isAlive(person.here), await person.isAlive(person.elsewhere)]).toEqual([false, false])
  expect(await person.hasKey()).toBe(true)
  expect((await call(ListAuditEvents, { as: person })).body.items).toMatchObject([
    { operation: 'resetPassword' },
  ])
  expect(await db.oneTimeLink.count({ where: { user_id: person.user_id, used_at: null } })).toBe(0)
})

test('a link gives an account without a password its first one', async () => {
  const { user_id, email } = await aUser()
  const now = new Date()
  const { url } = await passwordLink(user_id, now)
  await resetPassword(url.split('/').at(-1) ?? '', NEW, now)
  expect(await signInByPassword({ email, password: NEW }, PLACE, now)).toMatchObject({ user_id })
})

test('a common password is refused with its reason, and the link that would have set it is still good', async () => {
  const person = await aPerson()
  const now = new Date()
  const { url } = await passwordLink(person.user_id, now)
  const token = url.split('/').at(-1) ?? ''
  const problems = (msg: string) => [{ msg: expect.stringContaining(msg) }]
  await expect(resetPassword(token, '1q2w3e4r5t', now)).rejects.toMatchObject({
    problems: problems('one of the commonest passwords'),
  })
  await expect(resetPassword(token, `${person.email}!`, now)).rejects.toMatchObject({
    problems: problems('based on your address'),
  })
  expect([await person.opensBy(OLD), await person.isAlive(person.here)]).toEqual([true, true])
  await resetPassword(token, NEW, now)
  const token2 = await issueToken(person.user_id, new Date())
  const { status, error } = await change(token2, NEW, 'basketball!!')
  expect([status, error?.details]).toMatchObject([
    422,
    [{ loc: ['body', 'new_password'], msg: expect.stringContaining('with little added') }],
  ])
})

import { expect, test } from 'vitest'
import { SignUp } from '#lib/contracts/workspaces/sign-in'
import { db } from '#lib/db/client'
import { signInByPassword, signUp } from '#lib/services/workspaces/sign-in/by-password'
import { aUser } from '#tests/support/scenes/factories'

// Set before any module reads the environment.
process.env.ALLOW_SIGN_UP = '1'

const NOW = new Date('2030-01-01T00:00:00Z')
const fields = (email: string) => ({ name: 'Ada', email, password: 'long enough it is' })

test('whoever signs up can sign in, and the password is kept as a slow hash only', async () => {
  const made = await signUp(fields('Ada@Example.com'), '192.0.2.1', NOW)
  expect(made).toMatchObject({ email: 'ada@example.com', name: 'Ada' })
  const again = await signInByPassword(fields('ada@example.com'), '192.0.2.1', NOW)
  expect(again?.user_id).toBe(made?.user_id)
  const row = await db.user.findUniqueOrThrow({ where: { email: 'ada@example.com' } })
  expect(row.password_hash).toMatch(/^argon2id\$[\w-]{22}\$[\w-]{43}$/)
})

test('an address that has an account keeps it, and its password', async () => {
  const user = await aUser()
  expect(await signUp(fields(user.email.toUpperCase()), '192.0.2.2', NOW)).toBeNull()
  expect(await db.user.findUnique({ where: { user_id: user.user_id } })).toMatchObject({
    name: user.name,
    password_hash: null,
  })
})

test('one place makes at most five accounts a minute', async () => {
  const tries = Array.from({ length: 6 }, (_, index) =>
    signUp(fields(`many-${index}@example.com`), '192.0.2.3', NOW),
  )
  const ended = await Promise.allSettled(tries)
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  expect(ended.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'rate_limited' },
  })
})

test.each([
  ['a short password', { password: 'ninechars' }],
  ['no name', { name: '' }],
  ['no address', { email: 'ada at example' }],
  ['NUL in the name', { name: 'A\0' }],
])('the form refuses %s', (_, wrong) => {
  expect(SignUp.safeParse({ ...fields('a@example.com'), ...wrong }).success).toBe(false)
})

test('nobody signs up with a password that is tried first', async () => {
  const weak = { ...fields('weak@example.com'), password: 'Basketball1' }
  await expect(signUp(weak, '192.0.2.4', NOW)).rejects.toMatchObject({
    problems: [{ loc: ['body', 'password'], msg: expect.stringContaining('tried') }],
  })
  expect(await db.user.findUnique({ where: { email: 'weak@example.com' } })).toBeNull()
})

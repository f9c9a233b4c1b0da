import { expect, test } from 'vitest'
import { ListAuditEvents } from '#lib/contracts/workspaces/audit'
import { db, pool } from '#lib/db/client'
import { noteFailedSignIn, signInByPassword, signUp } from '#lib/services/workspaces/sign-in/by-password'
import { hashPassword } from '#lib/services/workspaces/sign-in/password-hashes'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'

const NOW = new Date('2030-01-01T00:00:00Z')
const PLACE = '203.0.113.7'

async function aPasswordUser(password = 'correct horse') {
  const user = await aUser()
  await db.user.update({
    where: { user_id: user.user_id },
    data: { password_hash: await hashPassword(password) },
  })
  return { ...user, password }
}

test('the right password opens, whatever the case of the address', async () => {
  const { email, password, user_id } = await aPasswordUser()
  const fields = { email: email.toUpperCase(), password }
  expect((await signInByPassword(fields, PLACE, NOW))?.user_id).toBe(user_id)
})

test.each([
  ['a wrong password', async () => ({ email: (await aPasswordUser()).email, password: 'wrong' })],
  ['an unknown address', async () => ({ email: 'nobody@example.com', password: 'x' })],
  ['an account without a password', async () => ({ email: (await aUser()).email, password: '' })],
])('%s does not', async (_, given) => {
  expect(await signInByPassword(await given(), PLACE, NOW)).toBeNull()
})

test('guessing is stopped after ten tries, for that place only, and a minute later it may go on', async () => {
  const { email, password, user_id } = await aPasswordUser()
  const wrong = { email, password: 'wrong' }
  const tries = await Promise.all(Array.from({ length: 10 }, () => signInByPassword(wrong, PLACE, NOW)))
  expect(tries.every((user) => user === null)).toBe(true)
  await expect(signInByPassword({ email, password }, PLACE, NOW)).rejects.toMatchObject({
    code: 'rate_limited',
  })
  expect((await signInByPassword({ email, password }, '198.51.100.9', NOW))?.user_id).toBe(user_id)
  const later = new Date(NOW.getTime() + 60_000)
  expect((await signInByPassword({ email, password }, PLACE, later))?.user_id).toBe(user_id)
})

const wrongFrom = (email: string, place: string) =>
  signInByPassword({ email, password: 'wrong' }, place, NOW).then(
    () => 'looked at',
    (error: { code: string }) => error.code,
  )

test('an account that is guessed at from many places gives each of them fewer tries, and its owner still some', async () => {
  const { email, password, user_id } = await aPasswordUser()
  for (let index = 0; index < 30; index += 1)
    expect(await wrongFrom(email, `198.51.100.${index}`)).toBe('looked at')
  const tries = []
  for (let times = 0; times < 4; times += 1) tries.push(await wrongFrom(email, '198.51.100.200'))
  expect(tries).toEqual(['looked at', 'looked at', 'looked at', 'rate_limited'])
  // Also from the owner's own address, at home or on a journey.
  expect((await signInByPassword({ email, password }, '192.0.2.1', NOW))?.user_id).toBe(user_id)
})

test('one password for many accounts is stopped after twenty, and no owner is kept out by it', async () => {
  const owners = []
  for (let index = 0; index < 24; index += 1) owners.push(await aUser())
  const { email, password } = await aPasswordUser()
  const tries = []
  for (const owner of owners) tries.push(await wrongFrom(owner.email, '203.0.113.99'))
  expect(tries.filter((said) => said === 'looked at')).toHaveLength(20)
  await expect(signInByPassword({ email, password }, '203.0.113.99', NOW)).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfterSeconds: 3,
    message: 'Too many attempts. Try again in 3 seconds.',
  })
  expect(await signInByPassword({ email, password }, '203.0.113.98', NOW)).not.toBeNull()
})

test('the many addresses of one IPv6 network are one place', async () => {
  const tries = []
  for (let index = 0; index < 24; index += 1)
    tries.push(await wrongFrom((await aUser()).email, `2001:db8:77:${index}::${index}`))
  expect(tries.filter((said) => said === 'looked at')).toHaveLength(20)
})

test('addresses that nobody has make no rows once their place is stopped', async () => {
  for (let index = 0; index < 40; index += 1) await wrongFrom(`nobody-${index}@example.com`, '203.0.113.55')
  const { rows } = await pool().query("SELECT bucket FROM rate_limits WHERE bucket LIKE 'sign-in:nobody-%'")
  expect(rows.length).toBeLessThanOrEqual(40)
})

test('a failure stands in the log of the account that was tried, with the network it came from, ten times a minute', async () => {
  const { email, user_id, password } = await aPasswordUser()
  expect(await noteFailedSignIn(email.toUpperCase(), '203.0.113.77', NOW)).toBe(user_id)
  for (let times = 0; times < 15; times += 1) await noteFailedSignIn(email, '203.0.113.77', NOW)
  expect(await noteFailedSignIn('nobody@example.com', PLACE, NOW)).toBeNull()
  const { items, total } = (await call(ListAuditEvents, { as: { user_id }, query: { by: 'stranger' } })).body
  expect(total).toBe(10)
  expect(items[0]).toMatchObject({
    operation: 'failedSignIn',
    target: { place: '203.0.113.0/24' },
    by: 'stranger',
    key_prefix: null,
  })
  expect(JSON.stringify(items)).not.toContain(password)
})

test('more sign-ins at once than there is room for are told to come again, and lose no try by it', async () => {
  const { email, password } = await aPasswordUser()
  const places = Array.from({ length: 120 }, (_, index) => `192.0.2.${index}`)
  const fields = { email, password }
  const ended = await Promise.allSettled(places.map((place) => signInByPassword(fields, place, NOW)))
  const refused = ended.filter((one) => one.status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  for (const { reason } of refused)
    expect(reason).toMatchObject({ code: 'rate_limited', retryAfterSeconds: expect.any(Number) })
  const { rows } = await pool().query<{ tokens: number }>(
    'SELECT tokens FROM rate_limits WHERE bucket = $1',
    [`sign-in:${email}`],
  )
  expect(rows[0]?.tokens).toBeGreaterThanOrEqual(30)
})

test('right passwords cost nothing', async () => {
  const { email, password } = await aPasswordUser()
  for (let times = 0; times < 12; times += 1)
    expect(await signInByPassword({ email, password }, PLACE, NOW)).not.toBeNull()
})

test('nobody signs up where the operator did not open it', async () => {
  const fields = { name: 'Eve', email: 'eve@example.com', password: 'long enough' }
  await expect(signUp(fields, PLACE, NOW)).rejects.toMatchObject({ code: 'forbidden' })
  expect(await db.user.findUnique({ where: { email: fields.email } })).toBeNull()
})

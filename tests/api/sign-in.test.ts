import { expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { DEMO, demoIsOpen, signInByPassword, signUp } from '#lib/services/sign-in'
import { hashPassword } from '#lib/services/users'
import { seed } from '#prisma/seed'
import { aUser } from '#tests/support/factories'

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

test('changing places does not help a guesser for long', async () => {
  const { email, password } = await aPasswordUser()
  const places = Array.from({ length: 30 }, (_, index) => `198.51.100.${index}`)
  await Promise.all(places.map((place) => signInByPassword({ email, password: 'wrong' }, place, NOW)))
  await expect(signInByPassword({ email, password }, '192.0.2.1', NOW)).rejects.toMatchObject({
    code: 'rate_limited',
  })
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

test('seeding twice makes one demo account, and keeps what its owner changed', async () => {
  await seed()
  const { user_id } = await db.user.findUniqueOrThrow({ where: { email: DEMO.email } })
  const kept = await db.template.findFirstOrThrow({ where: { user_id } })
  await db.template.delete({ where: { template_id: kept.template_id } })
  const password_hash = await hashPassword('my own password')
  await db.user.update({ where: { user_id }, data: { password_hash } })
  await seed()
  expect(await db.user.count({ where: { email: DEMO.email } })).toBe(1)
  expect(await db.template.count({ where: { user_id } })).toBe(1)
  expect(await db.senderProfile.findMany({ where: { user_id } })).toMatchObject([{ is_default: true }])
  expect((await db.user.findUniqueOrThrow({ where: { user_id } })).password_hash).toBe(password_hash)
})

test('the demo account is not offered where there is no sandbox', async () => {
  await seed()
  expect(await demoIsOpen()).toBe(false)
})

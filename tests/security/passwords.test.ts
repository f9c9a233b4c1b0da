import { expect, test } from 'vitest'
import { NewPassword, SignIn, SignUp } from '#lib/contracts/workspaces/sign-in'
import { signInByPassword, signUp } from '#lib/services/workspaces/sign-in/by-password'

// Set before any module reads the environment.
Object.assign(process.env, { ALLOW_SIGN_UP: '1' })

const NOW = new Date('2030-01-01T00:00:00Z')

test('a password is kept to the letter, of any composition, and up to a thousand letters long', async () => {
  const long = Array.from({ length: 200 }, (_, at) => `${at}µ…`).join('')
  const words = [
    '  blanks around it  ',
    'ünïcødé 👍👍 wörds',
    'nodigitsnocapitalshere',
    long.padEnd(1_000, 'Q7'),
  ]
  for (const [at, password] of words.entries()) {
    const email = `letters-${at}@example.com`
    const place = `192.0.2.${at}`
    const form = SignUp.parse({ name: 'Ada', email, password })
    expect(form.password).toBe(password)
    const made = await signUp(form, place, NOW)
    const enter = (given: string) => signInByPassword(SignIn.parse({ email, password: given }), place, NOW)
    expect((await enter(password))?.user_id).toBe(made?.user_id)
    for (const other of [
      password.trim(),
      password.toUpperCase(),
      password.slice(0, 72),
      password.slice(0, -1),
    ])
      if (other !== password) expect(await enter(other)).toBeNull()
  }
  expect(NewPassword.safeParse({ password: 'x'.repeat(1_001) }).success).toBe(false)
})

test('nothing but the password is asked for, and nothing of it is told', () => {
  expect(Object.keys(SignIn.shape).toSorted()).toEqual(['email', 'password'])
  expect(Object.keys(SignUp.shape).filter((name) => /hint|question|answer|birth|phone/.test(name))).toEqual(
    [],
  )
})

import { beforeEach, expect, test, vi } from 'vitest'
import { db } from '#lib/db/client'
import { timeCode, timeStep } from '#lib/domain/tokens/time-codes'
import { cookieNamed, currentUser } from '#lib/http/session'
import { enterByCode } from '#lib/http/sign-in/code-door'
import { claimsByProvider, signInBrowser, type Way } from '#lib/http/sign-in/sign-in-browser'
import { passwordLink, resetPassword } from '#lib/services/workspaces/sign-in/passwords'
import {
  startSecondFactor,
  turnOnSecondFactor,
} from '#lib/services/workspaces/sign-in/second-factor-settings'
import { createUserWithPassword } from '#lib/services/workspaces/users'

/** The browser's cookies, as the framework passes them. */
const jar = new Map<string, string>()
vi.mock('next/headers', () => ({
  cookies: async () => ({
    get: (name: string) => (jar.has(name) ? { name, value: jar.get(name) } : undefined),
    has: (name: string) => jar.has(name),
    set: (name: string, value: string) => (value ? jar.set(name, value) : jar.delete(name)),
  }),
  headers: async () => new Headers({ 'x-forwarded-for': '203.0.113.7' }),
}))
process.env.NEXTAUTH_SECRET ||= 'a secret of the tests'

beforeEach(() => jar.clear())

async function aPerson({ hasCode }: { hasCode: boolean }) {
  const user = await createUserWithPassword(
    `way-${crypto.randomUUID()}@example.com`,
    'W',
    'correct horse battery',
  )
  if (!user) throw new Error('the address was taken')
  if (!hasCode) return { ...user, secret: '', recovery: '' }
  // A minute ago, so that the current code is a new one.
  const at = new Date(Date.now() - 60_000)
  const { secret } = await startSecondFactor({ ...user, issued_at: at }, at)
  const { recovery_codes } = await turnOnSecondFactor(user.user_id, timeCode(secret, timeStep(at)), at)
  return { ...user, secret, recovery: recovery_codes[0] ?? '' }
}

const sessions = ({ user_id }: { user_id: string }) => db.userSession.count({ where: { user_id } })
const pending = () => jar.get(cookieNamed('pending').name)
const session = () => jar.get(cookieNamed('session').name)

test.each<[Exclude<Way, 'provider'>, 'in' | 'owes_code']>([
  ['password', 'owes_code'],
  ['link', 'owes_code'],
  ['passkey', 'in'],
  ['second_factor', 'in'],
])('where a second factor is on, %s alone says %s', async (way, said) => {
  const person = await aPerson({ hasCode: true })
  expect(await signInBrowser(person, way)).toBe(said)
  expect(await sessions(person)).toBe(said === 'in' ? 1 : 0)
  expect([session() !== undefined, pending() !== undefined]).toEqual([said === 'in', said !== 'in'])
})

test('an identity provider’s own factor is enough', async () => {
  const person = await aPerson({ hasCode: true })
  expect(await claimsByProvider(person, 'google')).toMatchObject({
    sub: person.user_id,
    sid: expect.any(String),
  })
})

test('each way in is kept as what it was, and a browser that comes again is known by its cookie', async () => {
  const person = await aPerson({ hasCode: false })
  await signInBrowser(person, 'password')
  await signInBrowser(person, 'passkey')
  await claimsByProvider(person, 'google')
  const kept = await db.signIn.findMany({
    where: { user_id: person.user_id },
    orderBy: { sign_in_id: 'asc' },
  })
  expect(kept.map(({ method, is_new_device }) => [method, is_new_device])).toEqual([
    ['password', false],
    ['passkey', false],
    ['google', false],
  ])
  expect(kept.every(({ session_id, succeeded }) => session_id !== null && succeeded)).toBe(true)
  expect(jar.get(cookieNamed('device').name)).toMatch(/^[\w-]{43}$/)
})

test('where none is on, a password opens', async () => {
  const person = await aPerson({ hasCode: false })
  expect(await signInBrowser(person, 'password')).toBe('in')
  expect((await currentUser())?.user_id).toBe(person.user_id)
})

test('the cookie of whoever owes a code opens nothing, under whatever name it is sent', async () => {
  const person = await aPerson({ hasCode: true })
  await signInBrowser(person, 'password')
  expect(await currentUser()).toBeNull()
  jar.set(cookieNamed('session').name, pending() ?? '')
  expect(await currentUser()).toBeNull()
})

test('the code of the app opens, and then nothing is owed', async () => {
  const person = await aPerson({ hasCode: true })
  await signInBrowser(person, 'password')
  expect(await enterByCode('000000')).toBeNull()
  const found = await enterByCode(timeCode(person.secret, timeStep(new Date())))
  if (!found || found === 'gone') throw new Error('the code was refused')
  await signInBrowser(found, 'second_factor')
  expect((await currentUser())?.user_id).toBe(person.user_id)
  expect(pending()).toBeUndefined()
})

test('a session’s cookie owes no code, and nobody’s does', async () => {
  const person = await aPerson({ hasCode: true })
  expect(await enterByCode(person.recovery)).toBe('gone')
  await signInBrowser(person, 'passkey')
  jar.set(cookieNamed('pending').name, session() ?? '')
  expect(await enterByCode(person.recovery)).toBe('gone')
})

test('whoever showed a password that was changed since has shown nothing', async () => {
  const person = await aPerson({ hasCode: true })
  await signInBrowser(person, 'password')
  const { url } = await passwordLink(person.user_id, new Date())
  await resetPassword(url.split('/').at(-1) ?? '', 'a new and better one', new Date())
  expect(await enterByCode(person.recovery)).toBe('gone')
})

test.each([false, true])(
  'a password that was changed since it was shown opens nothing (a code is owed: %s)',
  async (hasCode) => {
    const person = await aPerson({ hasCode })
    const { url } = await passwordLink(person.user_id, new Date())
    if (hasCode) await signInBrowser(person, 'password')
    const shown = hasCode ? await enterByCode(timeCode(person.secret, timeStep(new Date()))) : person
    if (!shown || shown === 'gone') throw new Error('the code was refused')
    await resetPassword(url.split('/').at(-1) ?? '', 'another one entirely', new Date())
    await expect(signInBrowser(shown, hasCode ? 'second_factor' : 'password')).rejects.toMatchObject({
      code: 'conflict',
    })
    expect([await sessions(person), session()]).toEqual([0, undefined])
  },
)

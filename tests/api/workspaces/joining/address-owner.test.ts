import { expect, test } from 'vitest'
import { CreateInvitation } from '#lib/contracts/workspaces/invitations'
import { db } from '#lib/db/client'
import { signUpByInvitation } from '#lib/services/workspaces/joining/acceptance'
import { signInByPassword } from '#lib/services/workspaces/sign-in/by-password'
import { userOfProvider } from '#lib/services/workspaces/sign-in/identities'
import { disownSignIn, mailNewDevice } from '#lib/services/workspaces/sign-in/new-device'
import { passwordLink, resetPassword } from '#lib/services/workspaces/sign-in/passwords'
import { mailReset } from '#lib/services/workspaces/sign-in/reset-by-mail'
import { openSession } from '#lib/services/workspaces/sign-in/sessions'
import { recordSignIn } from '#lib/services/workspaces/sign-in/sign-ins'
import { ensureUser, userOfIdentity } from '#lib/services/workspaces/users'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'
import { aNotifySink, decoded } from '#tests/support/servers/notify-sink'

const NOW = new Date()
const MINUTE = 60_000
const PLACE = '203.0.113.7'
const PASSWORD = 'the password of a stranger'
const at = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE)

const sink = aNotifySink()

const anAddress = () => `owner-${crypto.randomUUID()}@example.com`
const lastToken = (word: string) =>
  new RegExp(`/${word}/([\\w-]{43})`).exec(decoded(sink.messages.at(-1)?.raw))?.[1] ?? ''

type Person = { user_id: string; workspace_id: string }

/** Adds other ways to sign in than the password, as of `when`. */
async function addWaysIn({ user_id, workspace_id }: Person, when = NOW) {
  const mark = crypto.randomUUID()
  const own = { user_id, created_at: when }
  const passkey = { name: 'P', credential_id: mark, public_key: Buffer.from('x'), transports: [] }
  await db.passkey.create({ data: { ...own, ...passkey, backup_eligible: false, backed_up: false } })
  await db.identity.create({ data: { ...own, issuer: 'https://id.example', subject: mark } })
  await db.authenticatorApp.create({ data: { ...own, secret: 'x', confirmed_at: when } })
  await db.recoveryCode.create({ data: { ...own, digest: mark.padEnd(64, '0') } })
  const key = { name: 'K', key_prefix: mark.slice(0, 12), key_digest: mark.padEnd(64, '0'), scopes: ['read'] }
  await db.apiKey.create({ data: { ...own, ...key, workspace_id } })
  await openSession(user_id, { user_agent: null, place: PLACE }, when, 3600)
}

async function waysLeft({ user_id }: { user_id: string }) {
  const where = { user_id }
  const active = { user_id, revoked_at: null }
  return {
    passkeys: await db.passkey.count({ where }),
    identities: await db.identity.count({ where }),
    apps: await db.authenticatorApp.count({ where }),
    codes: await db.recoveryCode.count({ where }),
    keys: await db.apiKey.count({ where: active }),
    sessions: await db.userSession.count({ where: active }),
  }
}
const NONE = { passkeys: 0, identities: 0, apps: 0, codes: 0, keys: 0, sessions: 0 }
const ALL = { passkeys: 1, identities: 1, apps: 1, codes: 1, keys: 1, sessions: 1 }

/** An inviter opens the link, which the API shows to them, and creates the account for somebody else's address. */
async function madeByAStranger(): Promise<Person & { email: string }> {
  const inviter = await aUser()
  const body = { email: anAddress(), role: 'viewer' }
  const params = { workspace_id: inviter.workspace_id }
  const { url } = (await call(CreateInvitation, { as: inviter, params, body })).body
  const fields = { name: 'Stranger', password: PASSWORD }
  const made = await signUpByInvitation(url.split('/').at(-1) ?? '', fields, PLACE, NOW)
  if (!made) throw new Error('the address was taken')
  await addWaysIn(made)
  return made
}

test('a mailed new password ends all that opened an account which somebody else made for the address, once', async () => {
  const made = await madeByAStranger()
  expect(await waysLeft(made)).toEqual(ALL)
  await mailReset(made.email, NOW)
  expect(sink.messages.at(-1)?.raw).toContain('API')
  expect(sink.messages.at(-1)?.raw).toContain('people it invited')
  await resetPassword(lastToken('reset-password'), 'a new and better one', NOW)
  expect(await waysLeft(made)).toEqual(NONE)
  expect(
    await signInByPassword({ email: made.email, password: 'a new and better one' }, PLACE, NOW),
  ).not.toBeNull()

  // From now on the address is proven to be theirs, and what they add is kept.
  await addWaysIn(made)
  await mailReset(made.email, at(20))
  await resetPassword(lastToken('reset-password'), 'yet another one', at(20))
  expect(await waysLeft(made)).toEqual({ ...ALL, sessions: 0 })
})

test('a link that was printed shows nothing of the address: only browsers are signed out', async () => {
  const made = await madeByAStranger()
  const { url } = await passwordLink(made.user_id, NOW)
  await resetPassword(url.split('/').at(-1) ?? '', 'a new and better one', NOW)
  expect(await waysLeft(made)).toEqual({ ...ALL, sessions: 0 })
  expect(await db.user.findUniqueOrThrow({ where: { user_id: made.user_id } })).toMatchObject({
    email_verified_at: null,
  })
})

async function disownedAt(person: { user_id: string }, when: Date): Promise<string | null> {
  const session_id = await openSession(person.user_id, { user_agent: null, place: PLACE }, when, 3600)
  for (const device of ['laptop', 'phone']) {
    const browser = { device, user_agent: null, place: PLACE }
    await recordSignIn(person.user_id, { method: 'password', session_id, browser }, when)
  }
  const row = await db.signIn.findFirstOrThrow({ where: { user_id: person.user_id, is_new_device: true } })
  // A while later, as by a worker that is behind.
  expect(await mailNewDevice(row.sign_in_id, new Date(when.getTime() + 20 * MINUTE))).toBe('mailed')
  return disownSignIn(lastToken('not-me'), at(60))
}

test('to disown a sign-in of such an account ends them too, and leads to a new password', async () => {
  const made = await madeByAStranger()
  const next = await disownedAt(made, at(5))
  expect(await waysLeft(made)).toEqual(NONE)
  expect(await signInByPassword({ email: made.email, password: PASSWORD }, PLACE, NOW)).toBeNull()
  expect(next).toContain('/reset-password/')
})

test('to disown a sign-in removes what was added since, and leaves what was there before', async () => {
  const [before, since] = [await ensureUser(anAddress()), await ensureUser(anAddress())]
  for (const [person, minutes] of [
    [before, -5],
    [since, 10],
  ] as const) {
    const { workspace_id } = await db.member.findFirstOrThrow({ where: { user_id: person.user_id } })
    await addWaysIn({ ...person, workspace_id }, at(minutes))
  }
  expect(await disownedAt(before, at(0))).toBeNull()
  expect(await waysLeft(before)).toEqual({ ...ALL, sessions: 0 })
  // No other way to sign in is left: the owner sets a password.
  expect(await disownedAt(since, at(0))).toContain('/reset-password/')
  expect(await waysLeft(since)).toEqual(NONE)
})

test('whom a provider vouches for shares the account with nobody who made it before', async () => {
  const [byBrowser, byToken] = [await madeByAStranger(), await madeByAStranger()]
  const facts = { issuer: 'https://own.example', subject: byBrowser.email, name: 'O' }
  const rules = { id: 'oidc', makes_accounts: true, links_by_email: true, only_domain: null }
  const said = { said_email: byBrowser.email, email: byBrowser.email, hosted_domain: undefined }
  const entered = await userOfProvider({ ...facts, ...said }, rules)
  expect(entered).toMatchObject({ user: { user_id: byBrowser.user_id } })
  const claims = { issuer: 'https://jwt.example', subject: byToken.email, email: byToken.email }
  expect((await userOfIdentity({ ...claims, email_verified: true })).user_id).toBe(byToken.user_id)
  for (const made of [byBrowser, byToken]) {
    expect(await waysLeft(made)).toEqual({ ...NONE, identities: 1 })
    expect(await signInByPassword({ email: made.email, password: PASSWORD }, PLACE, NOW)).toBeNull()
  }
})

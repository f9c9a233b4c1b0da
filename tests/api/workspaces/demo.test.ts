import { afterEach, beforeEach, expect, test } from 'vitest'
import { ReadCurrentUser } from '#lib/contracts/workspaces/auth'
import { db } from '#lib/db/client'
import { env } from '#lib/env'
import { createApiKey } from '#lib/services/workspaces/api-keys'
import { signInByPassword } from '#lib/services/workspaces/sign-in/by-password'
import { DEMO, demoIsOpen } from '#lib/services/workspaces/sign-in/demo-account'
import {
  demoHoldsWork,
  firstAccountLink,
  makeFirstAccount,
} from '#lib/services/workspaces/sign-in/first-account'
import { readLink } from '#lib/services/workspaces/sign-in/one-time-links'
import { hashPassword } from '#lib/services/workspaces/sign-in/password-hashes'
import { openSession, userOfSession } from '#lib/services/workspaces/sign-in/sessions'
import { actorOfUser, issueToken } from '#lib/services/workspaces/tokens'
import { seed } from '#prisma/seed'
import { call } from '#tests/support/call'
import { aCampaign, aDataset, aUser } from '#tests/support/scenes/factories'

const NOW = new Date('2030-01-01T00:00:00Z')
const HERE = '127.0.0.1'
const PORT = env().SANDBOX_SMTP_PORT

const listenHere = () =>
  Object.assign(env(), { HOST: HERE, APP_URL: 'http://127.0.0.1:3000', SANDBOX_SMTP_PORT: 2500 })
const listenEverywhere = () => Object.assign(env(), { HOST: '0.0.0.0' })
const standBehindProxy = () => Object.assign(env(), { HOST: HERE, APP_URL: 'https://opener.example' })

const clean = async () => {
  await db.workspace.deleteMany()
  await db.user.deleteMany()
}
beforeEach(async () => {
  listenHere()
  await clean()
})
afterEach(() => {
  listenHere()
  env().SANDBOX_SMTP_PORT = PORT
})

const demo = () => db.user.findUnique({ where: { email: DEMO.email } })
async function demoOwner() {
  const user = { email: DEMO.email }
  const { workspace_id, user_id } = await db.member.findFirstOrThrow({ where: { user } })
  return { workspace_id, user_id }
}
const tokenIn = (link: { url: string } | null) => new URL(link?.url ?? '').pathname.split('/').at(-1) ?? ''
const fields = (email = 'Olga@Example.com') => ({
  name: 'Olga',
  email,
  password: 'an owner’s own words',
  keep_demo: false,
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
  expect((await demo())?.password_hash).toBe(password_hash)
  expect(await demoIsOpen()).toBe(false)
})

test('it opens from this machine, and from nowhere else', async () => {
  await seed()
  expect(await demoIsOpen()).toBe(true)
  expect(await signInByPassword(DEMO, HERE, NOW)).toMatchObject({ email: DEMO.email })
  expect(await signInByPassword(DEMO, '::ffff:127.0.0.1', NOW)).not.toBeNull()
  await expect(signInByPassword(DEMO, '203.0.113.1', NOW)).rejects.toMatchObject({ code: 'forbidden' })
  env().SANDBOX_SMTP_PORT = undefined
  expect(await demoIsOpen()).toBe(false)
})

test.each([
  ['that listens to everybody', listenEverywhere],
  ['that stands behind a proxy', standBehindProxy],
])('an instance %s makes no demo account', async (_, move) => {
  move()
  await seed()
  expect(await demo()).toBeNull()
  expect(await demoIsOpen()).toBe(false)
})

test.each([
  ['that listens to everybody', listenEverywhere],
  ['that stands behind a proxy', standBehindProxy],
])(
  'on an instance %s nothing that the demo account had opens anything, until it is here alone again',
  async (_, move) => {
    await seed()
    const owner = await demoOwner()
    const { user_id } = owner
    const key = await createApiKey(owner, { name: 'K', scopes: ['read'], expires_at: null }, NOW)
    const session = await openSession(user_id, { user_agent: null, place: null }, NOW, 3600)
    const ways = async () => [
      (await call(ReadCurrentUser, { token: key.key })).status === 200,
      (await call(ReadCurrentUser, { token: await issueToken(user_id, new Date()) })).status === 200,
      (await userOfSession(user_id, session, NOW)) !== null,
      (await actorOfUser(user_id)) !== null,
      (await signInByPassword(DEMO, HERE, NOW)) !== null,
    ]
    expect(await ways()).toEqual([true, true, true, true, true])
    move()
    await seed()
    expect(await ways()).toEqual([false, false, false, false, false])
    expect(await demo()).not.toBeNull()
    listenHere()
    expect(await ways()).toEqual([true, true, true, true, true])
  },
)

test('the first start elsewhere gives a link; what is kept of it opens nothing', async () => {
  listenEverywhere()
  const link = await firstAccountLink(NOW)
  expect(link?.url).toMatch(/^http:\/\/127\.0\.0\.1:3000\/first-account\/[\w-]{43}$/)
  expect(link?.expires_at).toEqual(new Date('2030-01-02T00:00:00Z'))
  const token = tokenIn(link)
  const row = await readLink('first_account', token, NOW)
  expect(JSON.stringify(row)).not.toContain(token)
  expect(await readLink('first_account', row?.digest ?? '', NOW)).toBeNull()
  expect(await readLink('password', token, NOW)).toBeNull()
  // Reading the link does not use it up.
  expect(await readLink('first_account', token, NOW)).not.toBeNull()
})

test('the link makes one account, once, within a day, and the next start gives another one until then', async () => {
  listenEverywhere()
  const old = tokenIn(await firstAccountLink(NOW))
  const token = tokenIn(await firstAccountLink(NOW))
  const gone = { code: 'grant_invalid' }
  await expect(makeFirstAccount(old, fields(), NOW)).rejects.toMatchObject(gone)
  await expect(makeFirstAccount('x'.repeat(43), fields(), NOW)).rejects.toMatchObject(gone)
  const late = new Date('2030-01-02T00:00:00Z')
  await expect(makeFirstAccount(token, fields(), late)).rejects.toMatchObject(gone)
  const both = await Promise.allSettled([
    makeFirstAccount(token, fields('olga@example.com'), NOW),
    makeFirstAccount(token, fields('eve@example.com'), NOW),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await db.user.count()).toBe(1)
  const [made] = await db.user.findMany({ include: { audit_events: true } })
  expect(made?.audit_events).toMatchObject([{ operation: 'makeFirstAccount', by: 'person' }])
  expect(
    await signInByPassword({ email: made?.email ?? '', password: fields().password }, PLACE, NOW),
  ).not.toBeNull()
  expect(await firstAccountLink(NOW)).toBeNull()
})
const PLACE = '203.0.113.9'

test('the first account may not be the demo account, but may take over what that holds', async () => {
  await seed()
  const owner = await demoOwner()
  const { user_id } = owner
  expect(await demoHoldsWork()).toBe(true)
  const { dataset_id } = await aDataset(owner)
  await aCampaign(owner, { dataset_id })
  const key = await createApiKey(owner, { name: 'K', scopes: ['read'], expires_at: null }, NOW)
  const session = await openSession(user_id, { user_agent: null, place: null }, NOW, 3600)
  listenEverywhere()
  const token = tokenIn(await firstAccountLink(NOW))
  await expect(makeFirstAccount(token, fields(DEMO.email), NOW)).rejects.toMatchObject({ code: 'conflict' })
  const made = await makeFirstAccount(token, { ...fields(), keep_demo: true }, NOW)
  expect(made).toMatchObject({ user_id, email: 'olga@example.com', name: 'Olga' })
  expect(await db.campaign.count({ where: { user_id } })).toBe(1)
  expect((await call(ReadCurrentUser, { token: key.key })).status).toBe(401)
  expect(await userOfSession(user_id, session, NOW)).toBeNull()
  const own = { email: 'olga@example.com', password: fields().password }
  expect(await signInByPassword(own, PLACE, NOW)).toMatchObject({ user_id })
  expect(await signInByPassword({ ...own, password: DEMO.password }, PLACE, NOW)).toBeNull()
  expect(await demo()).toBeNull()
})

test('no link is given where there is a way in: on this machine alone, or by an identity provider', async () => {
  expect(await firstAccountLink(NOW)).toBeNull()
  listenEverywhere()
  Object.assign(env(), { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' })
  expect(await firstAccountLink(NOW)).toBeNull()
  Object.assign(env(), { OIDC_ISSUER: undefined, OIDC_CLIENT_ID: undefined, OIDC_CLIENT_SECRET: undefined })
  // An account without any way to sign in does not count as a first account.
  await aUser({ email: 'olga@example.com' })
  const token = tokenIn(await firstAccountLink(NOW))
  expect(await makeFirstAccount(token, fields(), NOW)).toMatchObject({ email: 'olga@example.com' })
})

import { expect, test } from 'vitest'
import { ListAuditEvents } from '#lib/contracts/workspaces/audit'
import { DisconnectIdentity, ListIdentities } from '#lib/contracts/workspaces/identities'
import { db } from '#lib/db/client'
import type { IdentityFacts } from '#lib/domain/workspaces/identity-claims'
import { env } from '#lib/env'
import { connectIdentity, userOfProvider } from '#lib/services/workspaces/sign-in/identities'
import { identityProviders } from '#lib/services/workspaces/sign-in/identity-providers'
import { createUserWithPassword } from '#lib/services/workspaces/users'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'

const NOW = new Date()
const ISSUER = 'https://id.example'
const own = { id: 'oidc', makes_accounts: true, links_by_email: false, only_domain: null }
const trusted = { ...own, links_by_email: true }
const google = { id: 'google', makes_accounts: false, links_by_email: false, only_domain: null }

function facts(email: string | undefined, more: Partial<IdentityFacts> = {}): IdentityFacts {
  const subject = crypto.randomUUID()
  return { issuer: ISSUER, subject, name: 'N', said_email: email, email, hosted_domain: undefined, ...more }
}
async function aPasswordUser() {
  const made = await createUserWithPassword(
    `id-${crypto.randomUUID()}@example.com`,
    'P',
    'correct horse battery',
  )
  if (!made) throw new Error('the address was taken')
  return made
}
const anAddress = () => `new-${crypto.randomUUID()}@example.com`
const identitiesOf = ({ user_id }: { user_id: string }) => db.identity.count({ where: { user_id } })

test('an account with a password is not taken over by an address, vouched for or not', async () => {
  const person = await aPasswordUser()
  for (const rules of [own, google])
    expect(await userOfProvider(facts(person.email), rules)).toEqual({ refused: 'address_taken' })
  expect(await identitiesOf(person)).toBe(0)
})

test('nor is one that another identity signs in to', async () => {
  const email = anAddress()
  const first = await userOfProvider(facts(email), own)
  expect(first).toMatchObject({ user: { email } })
  expect(await userOfProvider(facts(email), google)).toEqual({ refused: 'address_taken' })
})

test('where the operator trusts the provider with addresses it is joined, and from then on known', async () => {
  const person = await aPasswordUser()
  const who = facts(person.email)
  expect(await userOfProvider(who, trusted)).toMatchObject({ user: { user_id: person.user_id } })
  expect(await userOfProvider({ ...who, email: undefined }, own)).toMatchObject({
    user: { user_id: person.user_id },
  })
  expect(await userOfProvider(facts(undefined, { said_email: person.email }), trusted)).not.toMatchObject({
    user: { user_id: person.user_id },
  })
})

test('an account that nobody could sign in to by now is whose address it is', async () => {
  const { user_id, email } = await aUser()
  expect(await userOfProvider(facts(email), google)).toMatchObject({ user: { user_id } })
})

test('Google and Microsoft make no account unless the operator says so, nor one without an address', async () => {
  expect(await userOfProvider(facts(anAddress()), google)).toEqual({ refused: 'no_account' })
  const open = { ...google, makes_accounts: true }
  expect(await userOfProvider(facts(undefined, { said_email: anAddress() }), open)).toEqual({
    refused: 'no_address',
  })
  expect(await userOfProvider(facts(anAddress()), open)).toHaveProperty('user')
})

test('only people of the named Workspace come in', async () => {
  const rules = { ...google, makes_accounts: true, only_domain: 'corp.example' }
  const email = anAddress()
  for (const hosted_domain of [undefined, 'evil.example'])
    expect(await userOfProvider(facts(email, { hosted_domain }), rules)).toEqual({ refused: 'other_domain' })
  expect(await userOfProvider(facts(email, { hosted_domain: 'corp.example' }), rules)).toHaveProperty('user')
})

test('two first sign-ins at once are one account', async () => {
  const who = facts(anAddress())
  const both = await Promise.all([userOfProvider(who, own), userOfProvider(who, own)])
  const ids = both.map((found) => ('user' in found ? found.user.user_id : 'refused'))
  expect(new Set(ids).size).toBe(1)
})

test('whoever is signed in connects an identity, which signs in from then on, and stands in the log', async () => {
  const person = await aPasswordUser()
  const who = facts('elsewhere@example.net')
  await connectIdentity(person.user_id, who, google, NOW)
  await connectIdentity(person.user_id, who, google, NOW)
  expect(await userOfProvider(who, google)).toMatchObject({ user: { user_id: person.user_id } })
  const { items } = (await call(ListIdentities, { as: person })).body
  expect(items).toMatchObject([{ issuer: ISSUER, email: 'elsewhere@example.net', provider: 'token' }])
  const log = (await call(ListAuditEvents, { as: person })).body.items
  expect(log.map(({ operation }) => operation)).toEqual(['connectIdentity'])
})

test('one that is another’s cannot be connected', async () => {
  const [person, other] = [await aPasswordUser(), await aPasswordUser()]
  const who = facts(undefined)
  await connectIdentity(other.user_id, who, google, NOW)
  await expect(connectIdentity(person.user_id, who, google, NOW)).rejects.toMatchObject({ code: 'conflict' })
  expect([await identitiesOf(person), await identitiesOf(other)]).toEqual([0, 1])
})

test('the last way in stays; one that only the API knows is none', async () => {
  const person = await aPasswordUser()
  const who = facts(undefined)
  await connectIdentity(person.user_id, who, google, NOW)
  const [first] = (await call(ListIdentities, { as: person })).body.items
  const params = { identity_id: first?.identity_id ?? '' }
  const stranger = await aUser()
  expect((await call(DisconnectIdentity, { as: stranger, params })).status).toBe(404)
  await db.user.update({ where: { user_id: person.user_id }, data: { password_hash: null } })
  await connectIdentity(person.user_id, facts(undefined), google, NOW)
  expect((await call(DisconnectIdentity, { as: person, params })).status).toBe(409)
  Object.assign(env(), { OIDC_ISSUER: ISSUER, OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' })
  expect((await call(DisconnectIdentity, { as: person, params })).status).toBe(204)
  expect((await call(DisconnectIdentity, { as: person, params })).status).toBe(404)
  expect(await identitiesOf(person)).toBe(1)
  Object.assign(env(), { OIDC_ISSUER: undefined, OIDC_CLIENT_ID: undefined, OIDC_CLIENT_SECRET: undefined })
})

test('providers are those whose id and secret are set; many tenants make no accounts, one does', () => {
  expect(identityProviders()).toEqual([])
  const given = {
    SIGN_IN_GOOGLE_CLIENT_ID: 'g',
    SIGN_IN_GOOGLE_CLIENT_SECRET: 'g',
    SIGN_IN_MICROSOFT_CLIENT_ID: 'm',
    SIGN_IN_MICROSOFT_CLIENT_SECRET: 'm',
  }
  Object.assign(env(), given)
  const makes = () => identityProviders().map(({ id, makes_accounts }) => [id, makes_accounts])
  expect(makes()).toEqual([
    ['google', false],
    ['microsoft', false],
  ])
  Object.assign(env(), { SIGN_IN_MICROSOFT_TENANT: 'corp.example', SIGN_IN_GOOGLE_DOMAIN: 'corp.example' })
  expect(makes()).toEqual([
    ['google', true],
    ['microsoft', true],
  ])
})

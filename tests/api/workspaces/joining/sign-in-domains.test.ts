import { afterAll, expect, test } from 'vitest'
import { ListAuditEvents } from '#lib/contracts/workspaces/audit'
import { ListMembers, RemoveMember, UpdateMember } from '#lib/contracts/workspaces/members'
import {
  CreateSignInDomain,
  DeleteSignInDomain,
  ListSignInDomains,
  UpdateSignInDomain,
  VerifySignInDomain,
} from '#lib/contracts/workspaces/sign-in-domains'
import { db } from '#lib/db/client'
import { dnsProvider } from '#lib/services/senders/discovery/dns-provider'
import { followProvider } from '#lib/services/workspaces/joining/by-provider'
import { userOfProvider } from '#lib/services/workspaces/sign-in/identities'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'
import { aMember } from '#tests/support/scenes/team'
import { createDnsServer } from '#tests/support/servers/dns'

const dns = await createDnsServer()
process.env.DNS_SERVERS = dns.server
afterAll(() => dns.close())

type Owner = Awaited<ReturnType<typeof aUser>>
const NOW = new Date()
const A_DAY_LATER = new Date(NOW.getTime() + 90_000_000)
const PROVIDER = { id: 'oidc', makes_accounts: true, links_by_email: false, only_domain: null }
const aDomain = () => `acme-${crypto.randomUUID()}.com`
const inWorkspace = ({ workspace_id }: { workspace_id: string }) => ({ workspace_id })

async function aClaim(owner: Owner, domain: string, role: 'member' | 'viewer' = 'member') {
  const made = await call(CreateSignInDomain, {
    as: owner,
    params: inWorkspace(owner),
    body: { domain, role },
  })
  expect(made.status).toBe(201)
  return made.body
}
const verify = (owner: Owner, claim: { sign_in_domain_id: string }) =>
  call(VerifySignInDomain, { as: owner, params: { ...inWorkspace(owner), ...claim } })
async function aProvenClaim(owner: Owner, domain = aDomain(), role: 'member' | 'viewer' = 'member') {
  const claim = await aClaim(owner, domain, role)
  dns.zone[claim.record.name] = { TXT: [claim.record.value] }
  expect((await verify(owner, claim)).body).toMatchObject({ domain, verified_at: expect.any(String) })
  return claim
}

/** A complete sign-in by a provider, as the sign-in callback performs it. */
async function signedIn(
  said: string | undefined,
  options: { verified?: boolean; subject?: string; now?: Date } = {},
) {
  const { verified = true, subject = crypto.randomUUID(), now = NOW } = options
  const email = verified ? said?.toLowerCase() : undefined
  const facts = {
    issuer: 'https://id.example',
    subject,
    name: 'N',
    said_email: said,
    email,
    hosted_domain: undefined,
  }
  const found = await userOfProvider(facts, PROVIDER)
  if (!('user' in found)) throw new Error(found.refused)
  await followProvider(found.user, { email, groups: null }, now, dnsProvider())
  return { ...found.user, subject }
}
const roleIn = async ({ workspace_id }: { workspace_id: string }, { user_id }: { user_id: string }) =>
  (await db.member.findUnique({ where: { workspace_id_user_id: { workspace_id, user_id } } }))?.role

test('whoever signs in with a verified address of a proven domain joins, beside a workspace of their own', async () => {
  const owner = await aUser()
  const domain = aDomain()
  await aProvenClaim(owner, domain, 'viewer')
  const person = await signedIn(`Ann@${domain.toUpperCase()}`)
  expect(await roleIn(owner, person)).toBe('viewer')
  expect(await db.member.count({ where: { user_id: person.user_id } })).toBe(2)
  expect(await db.user.findUnique({ where: { user_id: person.user_id } })).toMatchObject({
    last_workspace_id: owner.workspace_id,
  })
  const { body } = await call(ListMembers, { as: owner, params: inWorkspace(owner) })
  expect(body.items.map(({ email }) => email)).toContain(person.email)
  const events = await call(ListAuditEvents, { as: owner, query: { operation: 'joinByDomain' } })
  expect(events.body.items).toMatchObject([{ user_id: person.user_id }])
})

test('an account that is there joins at its next sign-in, and stays where it works', async () => {
  const owner = await aUser()
  const domain = aDomain()
  const before = await signedIn(`ann@${domain}`)
  const home = await db.member.findFirstOrThrow({ where: { user_id: before.user_id } })
  await db.user.update({ where: { user_id: before.user_id }, data: { last_workspace_id: home.workspace_id } })
  await aProvenClaim(owner, domain)
  const person = await signedIn(`ann@${domain}`, { subject: before.subject })
  expect(await roleIn(owner, person)).toBe('member')
  expect(await db.user.findUnique({ where: { user_id: person.user_id } })).toMatchObject({
    last_workspace_id: home.workspace_id,
  })
})

test('nobody joins by an address that is not verified, of a subdomain, or of a domain not proven', async () => {
  const owner = await aUser()
  const domain = aDomain()
  await aProvenClaim(owner, domain)
  const unproven = aDomain()
  await aClaim(owner, unproven)
  const people = [
    await signedIn(`ann@${domain}`, { verified: false }),
    await signedIn(undefined),
    await signedIn(`ann@mail.${domain}`),
    await signedIn(`ann@x${domain}`),
    await signedIn(`ann@${domain}.example.com`),
    await signedIn(`"ann@${domain}"@evil.example`),
    await signedIn(`ann@evil.example@${domain}`),
    await signedIn(`ann@${unproven}`),
  ]
  for (const person of people) expect(await roleIn(owner, person)).toBeUndefined()
})

test('of two workspaces that claim a domain the first to prove it has it; once it lets go, the other may', async () => {
  const [one, other] = [await aUser(), await aUser()]
  const domain = aDomain()
  const theirs = await aClaim(other, domain)
  const mine = await aProvenClaim(one, domain)
  dns.zone[theirs.record.name] = { TXT: [mine.record.value, theirs.record.value] }
  const refused = await verify(other, theirs)
  expect([refused.status, refused.error.detail]).toEqual([409, 'domain_taken'])
  const person = await signedIn(`ann@${domain}`)
  expect([await roleIn(one, person), await roleIn(other, person)]).toEqual(['member', undefined])
  const params = { ...inWorkspace(one), ...mine }
  expect((await call(DeleteSignInDomain, { as: one, params })).status).toBe(204)
  expect((await verify(other, theirs)).status).toBe(200)
  expect(await roleIn(one, person)).toBe('member')
})

test("another's record proves nothing, nor does no answer", async () => {
  const owner = await aUser()
  const claim = await aClaim(owner, aDomain())
  const { name, value } = claim.record
  for (const TXT of [[], ['opener-domain-verification=other'], [`${value}0`], ['v=spf1 -all']]) {
    dns.zone[name] = { TXT }
    const { status, error } = await verify(owner, claim)
    expect([status, error.detail, error.message]).toEqual([
      409,
      'domain_unproven',
      expect.stringContaining(name),
    ])
  }
  dns.zone[name] = 'servfail'
  expect((await verify(owner, claim)).error.detail).toBe('dns_unavailable')
})

test('DNS is not asked more often than six times a minute', async () => {
  const owner = await aUser()
  const claim = await aClaim(owner, aDomain())
  const statuses = []
  for (let time = 0; time < 8; time++) statuses.push((await verify(owner, claim)).status)
  expect(statuses.slice(0, 6)).toEqual(Array(6).fill(409))
  expect(statuses).toContain(429)
})

test('a record that is gone lets nobody in from the next look on, and says so; those inside stay', async () => {
  const owner = await aUser()
  const domain = aDomain()
  const claim = await aProvenClaim(owner, domain)
  const early = await signedIn(`ann@${domain}`)
  dns.zone[claim.record.name] = 'servfail'
  expect(await roleIn(owner, await signedIn(`bob@${domain}`, { now: A_DAY_LATER }))).toBeUndefined()
  dns.zone[claim.record.name] = { TXT: [] }
  const late = await signedIn(`cy@${domain}`, { now: A_DAY_LATER })
  expect([await roleIn(owner, early), await roleIn(owner, late)]).toEqual(['member', undefined])
  const { body } = await call(ListSignInDomains, { as: owner, params: inWorkspace(owner) })
  expect(body.items).toMatchObject([{ domain, verified_at: null }])
  const events = await call(ListAuditEvents, { as: owner, query: { operation: 'loseSignInDomain' } })
  expect(events.body.items).toHaveLength(1)
})

test('within a day DNS is not asked at a sign-in, and after it a good record lets in', async () => {
  const owner = await aUser()
  const domain = aDomain()
  const claim = await aProvenClaim(owner, domain)
  const asked = () => dns.asked.filter(({ name }) => name === claim.record.name).length
  const before = asked()
  expect(await roleIn(owner, await signedIn(`ann@${domain}`))).toBe('member')
  expect(asked()).toBe(before)
  expect(await roleIn(owner, await signedIn(`bob@${domain}`, { now: A_DAY_LATER }))).toBe('member')
  expect(asked()).toBe(before + 1)
})

test('whoever was removed or left is not brought back by their address', async () => {
  const owner = await aUser()
  const domain = aDomain()
  await aProvenClaim(owner, domain)
  const person = await signedIn(`ann@${domain}`)
  const params = { ...inWorkspace(owner), user_id: person.user_id }
  expect((await call(RemoveMember, { as: owner, params })).status).toBe(204)
  await signedIn(`ann@${domain}`, { subject: person.subject })
  expect(await roleIn(owner, person)).toBeUndefined()
})

test('a role set by hand is kept at the next sign-in', async () => {
  const owner = await aUser()
  const domain = aDomain()
  await aProvenClaim(owner, domain)
  const person = await signedIn(`ann@${domain}`)
  const params = { ...inWorkspace(owner), user_id: person.user_id }
  expect((await call(UpdateMember, { as: owner, params, body: { role: 'admin' } })).status).toBe(200)
  await signedIn(`ann@${domain}`, { subject: person.subject })
  expect(await roleIn(owner, person)).toBe('admin')
})

test('a domain is refused where it stands for nobody, twice, or as more than a member', async () => {
  const owner = await aUser()
  const post = (body: object) => call(CreateSignInDomain, { as: owner, params: inWorkspace(owner), body })
  for (const domain of ['gmail.com', 'co.uk', 'localhost', 'ann@acme.com', ''])
    expect((await post({ domain })).status).toBe(422)
  for (const role of ['owner', 'admin', 'client'])
    expect((await post({ domain: aDomain(), role })).status).toBe(422)
  const domain = aDomain()
  const made = await post({ domain })
  expect([made.status, made.body.role]).toEqual([201, 'member'])
  expect(JSON.stringify(made.body)).not.toContain('"token"')
  expect((await post({ domain: domain.toUpperCase() })).error.detail).toBe('domain_exists')
  await db.signInDomain.createMany({
    data: Array.from({ length: 19 }, () => ({
      ...inWorkspace(owner),
      domain: aDomain(),
      role: 'member',
      token: 't',
    })),
  })
  expect((await post({ domain: aDomain() })).error.detail).toBe('sign_in_domains_full')
})

test('the role of those who join is changed for later ones; members may neither see nor change any of it', async () => {
  const owner = await aUser()
  const domain = aDomain()
  const claim = await aProvenClaim(owner, domain)
  const params = { ...inWorkspace(owner), ...claim }
  const body = { role: 'viewer', version: claim.version }
  expect((await call(UpdateSignInDomain, { as: owner, params, body })).body).toMatchObject({ role: 'viewer' })
  expect((await call(UpdateSignInDomain, { as: owner, params, body })).status).toBe(409)
  expect(await roleIn(owner, await signedIn(`ann@${domain}`))).toBe('viewer')
  const member = await aMember(owner, 'member')
  const refused = await call(ListSignInDomains, { as: member, params: inWorkspace(owner) })
  expect([refused.status, refused.error.detail]).toEqual([403, 'role_insufficient'])
})

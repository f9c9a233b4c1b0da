import { expect, test } from 'vitest'
import { CreateApiKey } from '#lib/contracts/workspaces/api-keys'
import { ListAuditEvents } from '#lib/contracts/workspaces/audit'
import { ReadGroupRoles, ReplaceGroupRoles } from '#lib/contracts/workspaces/group-roles'
import { UpdateMember } from '#lib/contracts/workspaces/members'
import { UpdateWorkspace } from '#lib/contracts/workspaces/workspaces'
import { db } from '#lib/db/client'
import type { GroupRole } from '#lib/domain/workspaces/provider-roles'
import { dnsProvider } from '#lib/services/senders/discovery/dns-provider'
import { followProvider, groupsNamed } from '#lib/services/workspaces/joining/by-provider'
import { call } from '#tests/support/call'
import { aCampaign, aThread, aUser } from '#tests/support/scenes/factories'
import { aMember } from '#tests/support/scenes/team'

type Owner = Awaited<ReturnType<typeof aUser>>
const NOW = new Date()
const RULES: GroupRole[] = [
  { group: 'leads', role: 'admin' },
  { group: 'sales', role: 'member' },
]
const inWorkspace = ({ workspace_id }: { workspace_id: string }) => ({ workspace_id })
const put = (as: { user_id: string }, owner: Owner, body: object) =>
  call(ReplaceGroupRoles, { as, params: inWorkspace(owner), body })
const signIn = (person: { user_id: string }, groups: string[] | null) =>
  followProvider(person, { email: undefined, groups }, NOW, dnsProvider())
const member = ({ workspace_id }: { workspace_id: string }, { user_id }: { user_id: string }) =>
  db.member.findUniqueOrThrow({ where: { workspace_id_user_id: { workspace_id, user_id } } })

/** Somebody who joined through their domain. */
async function aJoiner(owner: Owner, role: 'admin' | 'member' | 'viewer' = 'viewer') {
  const person = await aMember(owner, role)
  const { workspace_id, user_id } = person
  await db.member.update({
    where: { workspace_id_user_id: { workspace_id, user_id } },
    data: { role_from: 'provider' },
  })
  return person
}

test('an owner replaces the table, with its version; nobody below reads more or writes any', async () => {
  const owner = await aUser()
  const empty = await call(ReadGroupRoles, { as: owner, params: inWorkspace(owner) })
  expect(empty.body).toEqual({
    ...inWorkspace(owner),
    claim: 'groups',
    roles: [],
    includes_invited: false,
    version: 1,
  })
  const saved = await put(owner, owner, { roles: RULES, version: 1 })
  expect([saved.status, saved.body]).toMatchObject([200, { roles: RULES, version: 2 }])
  const late = await put(owner, owner, { roles: [], version: 1 })
  expect([late.status, late.error.detail]).toEqual([409, 'changed_meanwhile'])
  const admin = await aMember(owner, 'admin')
  expect((await call(ReadGroupRoles, { as: admin, params: inWorkspace(owner) })).body.roles).toEqual(RULES)
  const refused = await put(admin, owner, { roles: [] })
  expect([refused.status, refused.error.detail]).toEqual([403, 'role_insufficient'])
  const viewer = await aMember(owner, 'viewer')
  expect((await call(ReadGroupRoles, { as: viewer, params: inWorkspace(owner) })).status).toBe(403)
})

test('no group gives the role owner or client, and none is named twice', async () => {
  const owner = await aUser()
  const twice = [
    { group: 'a', role: 'viewer' },
    { group: 'a', role: 'admin' },
  ]
  for (const roles of [
    [{ group: 'a', role: 'owner' }],
    [{ group: 'a', role: 'client' }],
    [{ group: ' ', role: 'viewer' }],
    twice,
  ])
    expect((await put(owner, owner, { roles })).status).toBe(422)
})

test('at each sign-in the role follows the groups, up and down, and it is noted', async () => {
  const owner = await aUser()
  await put(owner, owner, { roles: RULES })
  const person = await aJoiner(owner)
  for (const [groups, role] of [
    [['leads'], 'admin'],
    [['sales', 'x'], 'member'],
    [null, 'member'],
    [[], 'viewer'],
  ] as const) {
    await signIn(person, groups && [...groups])
    expect((await member(owner, person)).role).toBe(role)
  }
  const events = await call(ListAuditEvents, { as: owner, query: { operation: 'followGroups' } })
  expect(events.body.items).toHaveLength(3)
})

test('a rule that is removed, also the last one, ends what it gave', async () => {
  const owner = await aUser()
  await put(owner, owner, { roles: RULES })
  const [person, byHand] = [await aJoiner(owner), await aMember(owner, 'admin')]
  await signIn(person, ['leads'])
  expect((await member(owner, person)).role).toBe('admin')
  await put(owner, owner, { roles: [] })
  for (const one of [owner, person, byHand]) await signIn(one, ['leads'])
  expect(
    await Promise.all([owner, person, byHand].map(async (one) => (await member(owner, one)).role)),
  ).toEqual(['owner', 'viewer', 'admin'])
})

test('a sign-in with a provider that says no groups changes nothing, whatever its token claims', async () => {
  const owner = await aUser()
  await put(owner, owner, { roles: RULES, includes_invited: true })
  const person = await aJoiner(owner)
  const issuer = 'https://id.example'
  for (const [id, claims, role] of [
    ['oidc', { groups: ['leads', 'leads'] }, 'admin'],
    ['google', { groups: ['sales'] }, 'admin'],
    ['microsoft', {}, 'admin'],
    ['oidc', { _claim_names: { groups: 'src1' } }, 'admin'],
    ['oidc', { groups: { leads: true } }, 'admin'],
    ['oidc', {}, 'viewer'],
  ] as const) {
    await signIn(person, groupsNamed({ id, issuer }, claims))
    expect([id, (await member(owner, person)).role]).toEqual([id, role])
  }
})

test('owners and those invited by hand keep their role, unless the table includes the invited', async () => {
  const owner = await aUser()
  await put(owner, owner, { roles: RULES })
  const invited = await aMember(owner, 'viewer')
  for (const person of [owner, invited]) await signIn(person, ['sales'])
  expect([(await member(owner, owner)).role, (await member(owner, invited)).role]).toEqual([
    'owner',
    'viewer',
  ])
  await put(owner, owner, { roles: RULES, includes_invited: true })
  for (const person of [owner, invited]) await signIn(person, ['leads'])
  expect([(await member(owner, owner)).role, (await member(owner, invited)).role]).toEqual(['owner', 'admin'])
  await signIn(invited, [])
  expect((await member(owner, invited)).role).toBe('viewer')
})

test('what an admin sets by hand stays; an edit from before a sign-in is too late', async () => {
  const owner = await aUser()
  await put(owner, owner, { roles: RULES })
  const person = await aJoiner(owner)
  const params = { ...inWorkspace(owner), user_id: person.user_id }
  const { version } = await member(owner, person)
  await signIn(person, ['sales'])
  expect((await call(UpdateMember, { as: owner, params, body: { role: 'admin', version } })).status).toBe(409)
  expect((await call(UpdateMember, { as: owner, params, body: { role: 'admin' } })).status).toBe(200)
  await signIn(person, ['sales'])
  expect((await member(owner, person)).role).toBe('admin')
})

test('a group of one workspace says nothing in another, and lets nobody in', async () => {
  const [owner, other] = [await aUser(), await aUser()]
  await put(other, other, { roles: RULES, includes_invited: true })
  const person = await aJoiner(owner)
  await signIn(person, ['leads'])
  expect((await member(owner, person)).role).toBe('viewer')
  expect(await db.member.count({ where: { ...inWorkspace(other), user_id: person.user_id } })).toBe(0)
})

test('a lower role takes from somebody what it does not include', async () => {
  const owner = await aUser()
  await put(owner, owner, { roles: RULES, includes_invited: true })
  const person = await aJoiner(owner, 'member')
  const { thread_id } = await aThread(owner)
  await db.thread.update({ where: { thread_id }, data: { assignee_id: person.user_id } })
  await signIn(person, [])
  expect(await db.thread.findUnique({ where: { thread_id } })).toMatchObject({ assignee_id: null })
  const client = await aMember(owner, 'client')
  const { campaign_id } = await aCampaign(owner)
  await db.campaignClient.create({ data: { ...inWorkspace(owner), user_id: client.user_id, campaign_id } })
  await signIn(client, ['sales'])
  expect(await db.campaignClient.count({ where: { campaign_id } })).toBe(0)
})

test('the groups of an issuer that stands for many tenants are those of none', async () => {
  const owner = await aUser()
  await put(owner, owner, { roles: RULES, includes_invited: true })
  const person = await aJoiner(owner)
  const issuer = 'https://login.microsoftonline.com/organizations/v2.0'
  await signIn(person, groupsNamed({ id: 'oidc', issuer }, { groups: ['leads'] }))
  expect((await member(owner, person)).role).toBe('viewer')
})

test('without a verified address the domain gives nothing either: what a group gave falls to viewer', async () => {
  const owner = await aUser()
  await put(owner, owner, { roles: RULES })
  const domain = `acme-${crypto.randomUUID()}.com`
  const claimed = { domain, role: 'member', token: 't', verified_at: NOW, checked_at: NOW } as const
  await db.signInDomain.create({ data: { ...inWorkspace(owner), ...claimed } })
  const person = await aJoiner(owner)
  for (const [email, groups, role] of [
    [`ann@${domain}`, ['leads'], 'admin'],
    [`ann@${domain}`, [], 'member'],
    [`ann@sub.${domain}`, [], 'viewer'],
    [`ann@${domain}`, [], 'member'],
    [undefined, [], 'viewer'],
  ] as const) {
    await followProvider(person, { email, groups: [...groups] }, NOW, dnsProvider())
    expect([email, (await member(owner, person)).role]).toEqual([email, role])
  }
})

test('keys of somebody who is demoted by their groups do no more than they do', async () => {
  const owner = await aUser()
  await put(owner, owner, { roles: RULES })
  const person = await aJoiner(owner)
  await signIn(person, ['leads'])
  const made = await call(CreateApiKey, {
    as: person,
    body: { name: 'k', scopes: ['read', 'admin'], role: 'admin' },
  })
  expect(made.status).toBe(201)
  const token = made.body.key
  const name = () => call(UpdateWorkspace, { token, params: inWorkspace(owner), body: { name: 'N' } })
  expect((await name()).status).toBe(200)
  await signIn(person, [])
  const refused = await name()
  expect([refused.status, refused.error.detail]).toEqual([403, 'role_insufficient'])
})

test('a workspace is never left without its owner: not by groups, and not by a demotion under way', async () => {
  const owner = await aUser()
  await put(owner, owner, { roles: RULES, includes_invited: true })
  const admin = await aMember(owner, 'admin')
  // Ownership is transferred while the old owner signs in: in either order one owner is left.
  const params = { ...inWorkspace(owner), user_id: admin.user_id }
  await Promise.all([
    call(UpdateMember, { as: owner, params, body: { role: 'owner' } }),
    signIn(owner, []),
    signIn(admin, ['sales']),
  ])
  expect((await member(owner, owner)).role).toBe('owner')
  await call(UpdateMember, { as: owner, params, body: { role: 'owner' } })
  await Promise.all(
    [owner, admin].map((one) =>
      call(UpdateMember, {
        as: one,
        params: { ...inWorkspace(owner), user_id: one.user_id },
        body: { role: 'admin' },
      }),
    ),
  )
  for (const one of [owner, admin]) await signIn(one, [])
  expect(await db.member.count({ where: { ...inWorkspace(owner), role: 'owner' } })).toBe(1)
})

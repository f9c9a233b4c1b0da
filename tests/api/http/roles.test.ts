import { beforeAll, expect, test } from 'vitest'
import { UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { LaunchCampaign } from '#lib/contracts/campaigns/lifecycle'
import type { Contract } from '#lib/contracts/contract'
import { CreateApiKey, RollApiKey, UpdateApiKey } from '#lib/contracts/workspaces/api-keys'
import { ReadCurrentUser } from '#lib/contracts/workspaces/auth'
import { roleRefusal } from '#lib/contracts/workspaces/roles'
import { db } from '#lib/db/client'
import { KEY_ROLES, ROLES, type Role } from '#lib/domain/workspaces/roles'
import { operations } from '#lib/operations/all'
import { call } from '#tests/support/call'
import { mcpClient } from '#tests/support/mcp'
import { aCampaign, aUser } from '#tests/support/scenes/factories'
import { aMember } from '#tests/support/scenes/team'

// Set before any module reads the environment: one person asks more than a minute allows.
Object.assign(process.env, { RATE_LIMIT_READ: '100000', RATE_LIMIT_WRITE: '100000', RATE_LIMIT_AI: '100000' })

const guarded = operations.map(({ contract }) => contract).filter(({ scope }) => scope !== null)
const paramsOf = ({ path }: Contract) =>
  Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, crypto.randomUUID()]))
/** Operations that would change the caller itself, or end its credential. */
const ENDS_ITSELF = ['revokeOtherSessions', 'eraseAccount']

let owner: Awaited<ReturnType<typeof aUser>>
const people = new Map<Role, { user_id: string }>()
const keys = new Map<Role, string>()
const ALL = ['read', 'write', 'send', 'admin'] as const
beforeAll(async () => {
  owner = await aUser({ tier: 'scale' })
  for (const role of ROLES) people.set(role, await aMember(owner, role))
  for (const role of KEY_ROLES) {
    const body = { name: role, role, scopes: [...ALL] }
    keys.set(role, (await call(CreateApiKey, { as: owner, body })).body.key)
  }
})

test.each(guarded)(
  '$id is refused to the roles that the table does not let, and to no other',
  async (contract) => {
    if (ENDS_ITSELF.includes(contract.id)) return
    for (const role of ROLES) {
      const said = roleRefusal(role, contract)
      // Its ids do not exist and its body is empty: a caller with the role gets a later error, or reads.
      if (said === null && contract.method !== 'GET' && !contract.body && !contract.params) continue
      const { status, text } = await call(contract, {
        as: people.get(role),
        params: paramsOf(contract),
        ...(contract.body && { body: {} }),
      })
      if (said === null)
        expect([role, text]).not.toEqual([role, expect.stringContaining('This needs the role')])
      else {
        expect([role, status]).toEqual([role, 403])
        expect(text).toContain(said)
      }
    }
  },
)

test.each(guarded.filter((contract) => KEY_ROLES.some((role) => roleRefusal(role, contract))))(
  '$id is refused to the keys that an owner gave a lower role',
  async (contract) => {
    for (const role of KEY_ROLES) {
      const said = roleRefusal(role, contract)
      if (said === null) continue
      const { status, text } = await call(contract, {
        token: keys.get(role),
        params: paramsOf(contract),
        ...(contract.body && { body: {} }),
      })
      expect([role, status]).toEqual([role, 403])
      // Operations for people accept no key at all.
      if (!contract.jwt_only) expect(text).toContain(said)
    }
  },
)

test('a role is looked at anew with each request', async () => {
  const person = await aMember(owner, 'admin')
  const made = () => call(CreateApiKey, { as: person, body: { name: 'K', scopes: ['read'] } })
  expect((await made()).status).toBe(201)
  await db.member.updateMany({
    where: { ...(owner && { workspace_id: owner.workspace_id }), user_id: person.user_id },
    data: { role: 'viewer' },
  })
  const refused = await made()
  expect([refused.status, refused.error]).toEqual([
    403,
    { detail: 'role_insufficient', message: 'Ask an admin. This needs the role admin.' },
  ])
})

test('a key has the role that whoever made it has now', async () => {
  const person = await aMember(owner, 'admin')
  const body = { name: 'K', scopes: ['read', 'write', 'send', 'admin'] }
  const { key: token } = (await call(CreateApiKey, { as: person, body })).body
  expect((await call(ReadCurrentUser, { token })).body).toMatchObject({ role: 'admin' })
  await db.member.updateMany({
    where: { user_id: person.user_id, workspace_id: owner.workspace_id },
    data: { role: 'viewer' },
  })
  const { campaign_id } = await aCampaign(owner)
  const { status, error } = await call(LaunchCampaign, { token, params: { campaign_id }, body: {} })
  expect([status, error.detail]).toEqual([403, 'Ask an admin. This needs the role member.'])
  const { client } = await mcpClient(token)
  const names = (await client.listTools()).tools.map(({ name }) => name)
  expect(names).toContain('listCampaigns')
  expect(names).not.toContain('launchCampaign')
})

test('a key has the lower of its own role and its maker’s, and nobody gives one above their own', async () => {
  const admin = await aMember(owner, 'admin')
  const made = (role: string) =>
    call(CreateApiKey, { as: admin, body: { name: role, role, scopes: [...ALL] } })
  const refused = await made('owner')
  expect([refused.status, refused.error.detail]).toEqual([403, 'role_above_own'])
  expect((await made('client')).status).toBe(422)
  const { id, key: token, role } = (await made('member')).body
  expect(role).toBe('member')
  const acts = async () => (await call(ReadCurrentUser, { token })).body.role
  expect(await acts()).toBe('member')
  const give = (as: { user_id: string }, body: Record<string, unknown>) =>
    call(UpdateApiKey, { as, params: { id }, body })
  expect((await give(admin, { role: 'viewer' })).body.role).toBe('viewer')
  expect(await acts()).toBe('viewer')
  const rolled = (await call(RollApiKey, { as: admin, params: { id }, body: { overlap_hours: 1 } })).body
  expect(rolled.role).toBe('viewer')
  expect((await give(admin, { role: null })).status).toBe(200)
  expect(await acts()).toBe('admin')
  const where = { user_id: admin.user_id, workspace_id: owner.workspace_id }
  await db.member.updateMany({ where, data: { role: 'viewer' } })
  expect(await acts()).toBe('viewer')
})

test('an admin renames an owner’s key and raises it to admin, not higher', async () => {
  const admin = await aMember(owner, 'admin')
  const body = { name: 'K', role: 'viewer', scopes: [...ALL] }
  const { id, key: token } = (await call(CreateApiKey, { as: owner, body })).body
  const give = (fields: Record<string, unknown>) =>
    call(UpdateApiKey, { as: admin, params: { id }, body: fields })
  for (const role of [null, 'owner']) {
    const refused = await give({ role })
    expect([refused.status, refused.error.detail]).toEqual([403, 'role_above_own'])
  }
  expect((await call(ReadCurrentUser, { token })).body.role).toBe('viewer')
  expect((await give({ name: 'Named', role: 'viewer' })).body).toMatchObject({
    name: 'Named',
    role: 'viewer',
  })
  expect((await give({ role: 'admin' })).body.role).toBe('admin')
})

test('nobody is handed a key that acts with a role above their own', async () => {
  const admin = await aMember(owner, 'admin')
  const body = { name: 'K', scopes: ['read', 'write', 'send', 'admin'] }
  const { id } = (await call(CreateApiKey, { as: owner, body })).body
  const roll = (as: { user_id: string }) =>
    call(RollApiKey, { as, params: { id }, body: { overlap_hours: 0 } })
  const refused = await roll(admin)
  expect([refused.status, refused.error.detail]).toEqual([403, 'role_above_own'])
  expect(await db.apiKey.count({ where: { id, replaced_by: null, revoked_at: null } })).toBe(1)
  expect((await roll(owner)).status).toBe(201)
})

test('a member changes the campaigns that they made, and reads all', async () => {
  const member = await aMember(owner, 'member')
  const [theirs, own] = [await aCampaign(owner), await aCampaign(member)]
  const rename = (campaign_id: string) =>
    call(UpdateCampaign, { as: member, params: { campaign_id }, body: { name: 'Renamed' } })
  expect((await rename(own.campaign_id)).status).toBe(200)
  const refused = await rename(theirs.campaign_id)
  expect(refused.status).toBe(403)
  expect(refused.text).toContain('Ask an admin. As a member, you can change only campaigns you made.')
  expect(await db.campaign.findUnique({ where: { campaign_id: theirs.campaign_id } })).toMatchObject({
    name: theirs.name,
  })
  expect((await rename(crypto.randomUUID())).status).toBe(404)
})

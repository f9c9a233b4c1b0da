import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { CreateCampaign, ListCampaigns } from '#lib/contracts/campaigns/campaigns'
import { CreateTemplate, ListTemplates } from '#lib/contracts/messages/templates'
import { CreateApiKey, ListApiKeys, UpdateApiKey } from '#lib/contracts/workspaces/api-keys'
import { ReadCurrentUser } from '#lib/contracts/workspaces/auth'
import { Search } from '#lib/contracts/workspaces/search'
import { pool } from '#lib/db/client'
import { makeApiKey } from '#lib/domain/workspaces/key-format'
import { createToolbox } from '#lib/http/mcp/toolbox'
import { actorOfApiKey } from '#lib/services/workspaces/key-admission'
import { call } from '#tests/support/call'
import { mcpClient, upload } from '#tests/support/mcp'
import { aUser } from '#tests/support/scenes/factories'
import { aMember } from '#tests/support/scenes/team'

type User = { workspace_id: string; user_id: string }

async function aKey(as: User, body: Record<string, unknown>) {
  const made = await call(CreateApiKey, { as, body: { name: 'K', ...body } })
  expect(made.status).toBe(201)
  return made.body
}
const template = { name: 'T', content: { subject: 'S', body: 'B' } }
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const change = (as: User, id: string, body: unknown) => call(UpdateApiKey, { as, params: { id }, body })

test('scope and permission both have to allow an operation; the refusal names the permission', async () => {
  const owner = await aUser()
  const { key: token } = await aKey(owner, { permissions: { templates: 'read', campaigns: 'write' } })
  expect((await call(ListTemplates, { token })).status).toBe(200)
  const refused = await call(CreateTemplate, { token, body: template })
  expect([refused.status, refused.error]).toEqual([
    403,
    { detail: 'permission_missing', message: 'This key lacks the permission templates:write.' },
  ])
  expect((await call(Search, { token, query: { q: 'x' } })).status).toBe(403)
  // The permission check passes: the error is the missing body.
  expect((await call(CreateCampaign, { token, body: {} })).status).toBe(422)
  expect((await call(ReadCurrentUser, { token })).status).toBe(200)

  const { key: reader } = await aKey(owner, { scopes: ['read'], permissions: { templates: 'write' } })
  const unscoped = await call(CreateTemplate, { token: reader, body: template })
  expect([unscoped.status, unscoped.error.detail]).toEqual([403, 'forbidden'])
})

test('a key with scopes alone may what it always might', async () => {
  const { key: token, permissions, allowed_networks } = await aKey(await aUser(), {})
  expect([permissions, allowed_networks]).toEqual([null, []])
  expect((await call(CreateTemplate, { token, body: template })).status).toBe(201)
})

test('tools of agents and of the assistant are those that the key may call', async () => {
  const owner = await aUser()
  const { key } = await aKey(owner, { permissions: { templates: 'read', campaigns: 'read' } })
  const { client, call: tool } = await mcpClient(key)
  const names = (await client.listTools()).tools.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['listTemplates', 'readCampaign', 'readCurrentUser']))
  for (const hidden of ['createTemplate', 'launchCampaign', 'listMailboxes', 'search'])
    expect(names).not.toContain(hidden)
  const { isError, said } = await tool('listMailboxes')
  expect([isError, said]).toMatchObject([true, { code: 'permission_missing', status: 403 }])

  const caller = await actorOfApiKey(key, '', new Date())
  if (!caller) throw new Error('The key is not known.')
  const toolbox = createToolbox(caller)
  expect(toolbox.operations.map(({ name }) => name)).not.toContain('launchCampaign')
  expect(() => toolbox.check('listMailboxes', {})).toThrow()
})

test('outside its networks a key is refused, and its use is not recorded', async () => {
  const owner = await aUser()
  const { key: token } = await aKey(owner, { allowed_networks: ['198.51.100.0/24', '2001:DB8::/32'] })
  const asked = async (address: string) => (await call(ListTemplates, { token, ...from(address) })).status
  expect(await asked('203.0.113.7')).toBe(403)
  // Addresses that stand before the nearest proxy's own entry are not trusted.
  expect(await asked('198.51.100.4, 203.0.113.7')).toBe(403)
  const nowhere = await call(CreateTemplate, { token, body: template })
  expect([nowhere.status, nowhere.error.detail]).toEqual([403, 'network_not_allowed'])
  const before = await call(ListApiKeys, { as: owner })
  expect(before.body.keys[0]).toMatchObject({ last_used_at: null, last_used_place: null })
  expect(await asked('198.51.100.4')).toBe(200)
  expect(await asked('203.0.113.7, 2001:db8:7:8::1')).toBe(200)
  const after = await call(ListApiKeys, { as: owner })
  expect(after.body.keys[0]).toMatchObject({ last_used_place: '198.51.100.0/24' })
})

test('an upload address that a key was given is good from its networks only', async () => {
  const owner = await aUser()
  const { key, id } = await aKey(owner, {})
  const { call: tool } = await mcpClient(key)
  const { said } = await tool('importSpreadsheet', {})
  await change(owner, id, { allowed_networks: ['198.51.100.0/24'] })
  const form = new FormData()
  form.set('file', new File(['email\na@example.com'], 'a.csv'))
  const answer = await upload(said.upload_url, form)
  expect([answer.status, (await answer.json()).detail]).toEqual([403, 'network_not_allowed'])
})

test('an upload address that a key was given does what its role allows by then', async () => {
  const owner = await aUser()
  const { key, id } = await aKey(owner, {})
  const { call: tool } = await mcpClient(key)
  const { said } = await tool('importSpreadsheet', {})
  await change(owner, id, { role: 'viewer' })
  const form = new FormData()
  form.set('file', new File(['email\na@example.com'], 'a.csv'))
  const answer = await upload(said.upload_url, form)
  expect([answer.status, (await answer.json()).detail]).toEqual([403, 'role_insufficient'])
  const { client } = await mcpClient(key)
  const names = (await client.listTools()).tools.map(({ name }) => name)
  expect(names).toContain('listTemplates')
  expect(names).not.toContain('importSpreadsheet')
})

test('what is changed of a key holds from its next request', async () => {
  const owner = await aUser()
  const { key: token, id } = await aKey(owner, {})
  const changed = await change(owner, id, { name: 'Reads', permissions: { campaigns: 'read' } })
  expect(changed.body).toMatchObject({
    name: 'Reads',
    permissions: { campaigns: 'read' },
    allowed_networks: [],
  })
  expect((await call(ListCampaigns, { token })).status).toBe(200)
  expect((await call(ListTemplates, { token })).status).toBe(403)
  expect((await change(owner, id, { permissions: null })).body).toMatchObject({
    name: 'Reads',
    permissions: null,
  })
  expect((await call(ListTemplates, { token })).status).toBe(200)
  expect((await change(owner, id, { allowed_networks: ['10.0.0.1'] })).status).toBe(200)
  expect((await call(ListTemplates, { token })).status).toBe(403)
  const byKey = await call(UpdateApiKey, {
    token,
    params: { id },
    body: { allowed_networks: [] },
    ...from('10.0.0.1'),
  })
  expect([byKey.status, byKey.error.detail]).toEqual([403, 'keys_need_sign_in'])
  expect((await change(await aUser(), id, { name: 'Mine' })).status).toBe(404)
})

test.each([
  ['permissions that permit nothing', { permissions: { campaigns: 'none' } }],
  ['a resource that is none', { permissions: { everything: 'read' } }],
  ['a verb that is none', { permissions: { campaigns: 'admin' } }],
  ['a network that is none', { allowed_networks: ['example.com'] }],
  ['a network too wide', { allowed_networks: ['10.0.0.0/33'] }],
  ['more networks than are looked through', { allowed_networks: Array(51).fill('10.0.0.1') }],
])('422 for %s', async (_, body) => {
  expect((await call(CreateApiKey, { as: await aUser(), body: { name: 'K', ...body } })).status).toBe(422)
})

test('a token that can be no key is 401 without a question to the database', async () => {
  const { key } = await aKey(await aUser(), {})
  const typo = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
  const questions: unknown[] = []
  const count = (client: unknown) => void questions.push(client)
  const ask = async (token: string) => (await call(ListTemplates, { token })).status
  pool().on('acquire', count)
  for (const token of [typo, 'opn_live_', 'opn_whatever', `opn_live_${'a'.repeat(49)}`])
    expect(await ask(token)).toBe(401)
  expect(questions).toEqual([])
  expect(await ask(makeApiKey(randomBytes(32)))).toBe(401)
  pool().off('acquire', count)
  expect(questions).not.toEqual([])
})

test('nobody lifts the restrictions of a key that may do more than they', async () => {
  const owner = await aUser()
  const admin = await aMember(owner, 'admin')
  const { id } = await aKey(owner, { permissions: { campaigns: 'read' }, allowed_networks: ['10.0.0.0/8'] })
  for (const body of [{ permissions: null }, { allowed_networks: [] }]) {
    const refused = await change(admin, id, body)
    expect([refused.status, refused.error.detail]).toEqual([403, 'role_above_own'])
  }
  expect((await change(admin, id, { name: 'Renamed' })).status).toBe(200)
  expect((await change(owner, id, { permissions: null })).status).toBe(200)
})

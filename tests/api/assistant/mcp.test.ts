import { expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { operations } from '#lib/operations/all'
import { createApiKey } from '#lib/services/workspaces/api-keys'
import { closeSession, openSession } from '#lib/services/workspaces/sign-in/sessions'
import { issueToken } from '#lib/services/workspaces/tokens'
import { documented } from '#tests/support/files/document'
import { mcpClient, postMcp, upload } from '#tests/support/mcp'
import { aCampaign, aDataset, aTemplate, aUser } from '#tests/support/scenes/factories'

const ids = operations.map(({ contract }) => contract.id).toSorted()
/** The assistant itself is no tool. */
const toolIds = ids.filter((id) => id !== 'agentChat')
const keyOf = async (
  user: { workspace_id: string; user_id: string },
  scopes: ('read' | 'write' | 'send' | 'admin')[],
) => createApiKey(user, { name: 'K', scopes, expires_at: null }, new Date())
const call = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
const asJson = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

test('operations, the OpenAPI document and the tools are the same', async () => {
  const { client } = await mcpClient(await aUser())
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name).toSorted()).toEqual(toolIds)
  expect(documented.map(({ operation }) => operation.operationId).toSorted()).toEqual(ids)
})

test.each([
  ['2026-07-28', { mode: { pin: '2026-07-28' } }],
  ['2025-11-25', { mode: 'legacy' }],
] as const)('the revision %s is spoken', async (version, negotiation) => {
  const owner = await aUser()
  const { client, call } = await mcpClient(owner, negotiation)
  expect(client.getNegotiatedProtocolVersion()).toBe(version)
  expect((await client.listTools()).tools).toHaveLength(toolIds.length)
  expect((await call('readCurrentUser')).said).toMatchObject({ workspace_id: owner.workspace_id })
})

/** Sends one raw message and returns its answer, which may come as an event. */
async function said(message: object, headers: Record<string, string> = {}) {
  const authorization = `Bearer ${await issueToken((await aUser()).user_id, new Date())}`
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message })
  const response = await postMcp({ headers: { ...asJson, authorization, ...headers }, body })
  const text = await response.text()
  return { response, ...JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text) }
}

test.each([
  ['2025-11-25', '2025-11-25'],
  ['2025-06-18', '2025-06-18'],
  ['2025-03-26', '2025-03-26'],
  ['1999-01-01', '2025-11-25'],
])('a handshake that asks for %s is answered in %s, and opens no session', async (asked, version) => {
  const clientInfo = { name: 'by hand', version: '1' }
  const params = { protocolVersion: asked, capabilities: {}, clientInfo }
  const { response, result } = await said({ method: 'initialize', params })
  expect([response.status, result.protocolVersion]).toEqual([200, version])
  expect(result.capabilities).toHaveProperty('tools')
  expect(response.headers.has('mcp-session-id')).toBe(false)
  // An invented session id is ignored.
  const headers = { 'mcp-session-id': 'made-up', 'mcp-protocol-version': version }
  const listed = await said({ method: 'tools/list', params: {} }, headers)
  expect(listed.result.tools).toHaveLength(toolIds.length)
})

test.each(['GET', 'DELETE'])('there is no session to %s', async (method) => {
  const authorization = `Bearer ${await issueToken((await aUser()).user_id, new Date())}`
  const response = await postMcp({ method, headers: { authorization, accept: 'text/event-stream' } })
  expect(response.status).toBe(405)
})

test('each tool says what it takes and what it does', async () => {
  const { tools } = await (await mcpClient(await aUser())).client.listTools()
  for (const { name, description, inputSchema, annotations } of tools) {
    const contract = operations.find((one) => one.contract.id === name)?.contract
    expect(description).toContain(contract?.summary)
    expect(inputSchema.type).toBe('object')
    const inPath = [...(contract?.path.matchAll(/\{(\w+)\}/g) ?? [])].map(([, parameter]) => parameter)
    expect(inputSchema.required ?? []).toEqual(expect.arrayContaining(inPath))
    if (contract?.method === 'GET') expect(annotations?.readOnlyHint).toBe(true)
    if (contract?.destructive)
      expect(annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true })
    if (contract?.method === 'DELETE') expect(annotations?.idempotentHint).toBe(true)
    if (contract?.scope === 'send') expect(inputSchema.properties).toHaveProperty('confirmation_token')
    // Clients keep each schema separately, so it must not refer to others.
    expect(JSON.stringify(inputSchema)).not.toContain('#/components')
  }
})

test('a key sees the tools of its scopes but for those of persons alone, and may call no other', async () => {
  const owner = await aUser()
  const { key } = await keyOf(owner, ['read'])
  const { client, call } = await mcpClient(key)
  const names = (await client.listTools()).tools.map(({ name }) => name)
  const readable = operations.filter(
    ({ contract: { scope, jwt_only } }) => (scope === 'read' || scope === null) && !jwt_only,
  )
  expect(names.toSorted()).toEqual(readable.map(({ contract }) => contract.id).toSorted())
  const refused = await call('createTemplate', { name: 'T', content: { subject: 's', body: 'b' } })
  expect([refused.isError, refused.said]).toEqual([
    true,
    expect.objectContaining({ code: 'forbidden', status: 403 }),
  ])
  expect(await db.template.count({ where: { workspace_id: owner.workspace_id } })).toBe(0)
})

test('an API key mints no key, whatever its scopes', async () => {
  const { key } = await keyOf(await aUser(), ['read', 'write', 'send', 'admin'])
  const { client, call } = await mcpClient(key)
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('createApiKey')
  expect((await call('createApiKey', { name: 'More' })).said.code).toBe('keys_need_sign_in')
})

test('an answer is structured, and its text is the same', async () => {
  const owner = await aUser()
  const { template_id } = await aTemplate(owner)
  const { said, content } = await (await mcpClient(owner)).call('readTemplate', { template_id })
  expect(said).toMatchObject({
    template_id,
    workspace_id: owner.workspace_id,
    created_at: expect.any(String),
  })
  expect(content).toEqual([{ type: 'text', text: JSON.stringify(said) }])
})

test('path, query and body come from one list of arguments', async () => {
  const owner = await aUser()
  await aTemplate(owner)
  const { call } = await mcpClient(owner)
  const { said } = await call('forecastDraft', {
    leads_count: 2,
    limit: 1,
    sending_window_start: '00:00',
    sending_window_end: '00:00',
    steps_config: [{ subject: 'Hi', message_template: 'Hi' }],
  })
  expect([said.total_actions, said.actions.length]).toEqual([2, 1])
  expect((await call('listTemplates', { page: 2 })).said).toEqual({ templates: [], total: 1 })
})

test('refusals carry the code that the HTTP API has', async () => {
  const { call } = await mcpClient(await aUser())
  const nobody = crypto.randomUUID()
  const refusals = [
    ['readTemplate', { template_id: nobody }, 'template_not_found', 404],
    ['pauseCampaign', { campaign_id: nobody }, 'campaign_not_found', 404],
    ['readTemplate', { template_id: 'x' }, 'template_not_found', 404],
    ['pauseCampaign', { campaign_id: 'x' }, 'validation_error', 422],
    ['createTemplate', { name: 'x' }, 'validation_error', 422],
    ['readTemplate', { template_id: nobody, typo: 1 }, 'validation_error', 422],
  ] as const
  for (const [name, given, code, status] of refusals) {
    const { isError, said } = await call(name, given)
    expect([name, isError, said.code, said.status]).toEqual([name, true, code, status])
  }
  const { said } = await call('noSuchTool')
  expect(said.code).toBe('not_found')
})

test("another's rows are not there", async () => {
  const { template_id } = await aTemplate(await aUser())
  const { call } = await mcpClient(await aUser())
  expect((await call('readTemplate', { template_id })).said.code).toBe('template_not_found')
  expect((await call('deleteTemplate', { template_id })).said.code).toBe('template_not_found')
})

test('without a good credential it is 401, and says how to prove oneself', async () => {
  for (const token of [null, 'nonsense', 'opn_live_nonsense']) {
    const headers = { ...asJson, ...(token ? { authorization: `Bearer ${token}` } : {}) }
    const response = await postMcp({ headers, body: JSON.stringify(call) })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/)
    expect(await response.json()).toMatchObject({ detail: 'unauthenticated' })
  }
})

test('pages of other sites are not answered, a credential or none', async () => {
  const owner = await aUser()
  const authorization = `Bearer ${await issueToken(owner.user_id, new Date())}`
  const from = async (origin: string) =>
    (await postMcp({ headers: { ...asJson, authorization, origin }, body: JSON.stringify(call) })).status
  expect(await from('http://opener.test')).toBe(200)
  for (const origin of [
    'http://evil.example',
    'null',
    'http://opener.test.evil.example',
    'https://opener.test',
  ])
    expect([origin, await from(origin)]).toEqual([origin, 403])
})

test.each([
  ['no JSON', '{'],
  ['too deep', `${'['.repeat(5_000)}${']'.repeat(5_000)}`],
  ['too long', ' '.repeat(5 * 1024 * 1024)],
  ['no message', '{"hello": 1}'],
  ['nothing', ''],
])('%s is refused, and is no fault of ours', async (_, body) => {
  const authorization = `Bearer ${await issueToken((await aUser()).user_id, new Date())}`
  const response = await postMcp({ headers: { ...asJson, authorization }, body })
  expect(response.status).toBeGreaterThanOrEqual(400)
  expect(response.status).toBeLessThan(500)
})

test('a file comes as text or base64; without one, by an address that works once', async () => {
  const owner = await aUser()
  const { call } = await mcpClient(owner)
  const csv = 'email,first_name\nann@example.com,Ann\n'
  const file = { filename: 'leads.csv' }
  for (const given of [{ text: csv }, { content_base64: Buffer.from(csv).toString('base64') }]) {
    const { said } = await call('previewSpreadsheet', { file: { ...file, ...given } })
    expect(said).toMatchObject({ filename: 'leads.csv', total_sheets: 1 })
  }
  for (const wrong of [file, { ...file, content_base64: '%%%' }, 'text'])
    expect((await call('previewSpreadsheet', { file: wrong })).said.code).toBe('validation_error')

  const { said } = await call('importSpreadsheet', { dataset_name: 'By upload', mapping: { email: 'email' } })
  expect(said.status).toBe('upload_required')
  expect(await db.dataset.count({ where: { workspace_id: owner.workspace_id } })).toBe(0)
  const form = new FormData()
  form.set('file', new File([csv], 'leads.csv'))
  const first = await upload(said.upload_url, form)
  expect([first.status, await first.json()]).toEqual([
    200,
    expect.objectContaining({ dataset_name: 'By upload' }),
  ])
  const again = await upload(said.upload_url, form)
  expect([again.status, (await again.json()).detail]).toEqual([409, 'grant_invalid'])
  expect((await upload(`${said.upload_url}x`, form)).status).toBe(409)
})

test('what an upload address did is logged under the key that asked for it', async () => {
  const owner = await aUser()
  const key = await keyOf(owner, ['read', 'write'])
  const { said } = await (await mcpClient(key.key)).call('importSpreadsheet')
  const form = new FormData()
  form.set('file', new File(['email\na@example.com'], 'leads.csv'))
  expect((await upload(said.upload_url, form)).status).toBe(200)
  const logged = await db.auditEvent.findMany({ where: { workspace_id: owner.workspace_id } })
  expect(logged).toMatchObject([
    { operation: 'importSpreadsheet', by: 'assistant', key_prefix: key.key_prefix },
  ])
})

test('an upload address dies with the key that asked for it', async () => {
  const owner = await aUser()
  const key = await keyOf(owner, ['read', 'write'])
  const { said } = await (await mcpClient(key.key)).call('importSpreadsheet')
  await db.apiKey.update({ where: { id: key.id }, data: { revoked_at: new Date() } })
  const form = new FormData()
  form.set('file', new File(['email\na@example.com'], 'leads.csv'))
  expect((await upload(said.upload_url, form)).status).toBe(401)
})

test('an upload address dies with the session whose token asked for it', async () => {
  const owner = await aUser()
  const { user_id } = owner
  const session = await openSession(user_id, { user_agent: null, place: null }, new Date(), 3600)
  const client = await mcpClient(await issueToken(user_id, new Date(), session))
  const [first, second] = [await client.call('importSpreadsheet'), await client.call('importSpreadsheet')]
  const form = new FormData()
  form.set('file', new File(['email\na@example.com'], 'leads.csv'))
  expect((await upload(first.said.upload_url, form)).status).toBe(200)
  await closeSession(user_id, session, new Date())
  expect((await upload(second.said.upload_url, form)).status).toBe(401)
})

test('an exported table is text, with its name', async () => {
  const owner = await aUser()
  const { campaign_id } = await aCampaign(owner, { dataset_id: (await aDataset(owner)).dataset_id })
  const { said } = await (await mcpClient(owner)).call('exportCampaignLeads', { campaign_id })
  expect(said).toMatchObject({
    media_type: 'text/csv',
    truncated: false,
    filename: expect.stringMatching(/csv$/),
  })
  expect(said.text).toContain('email')
})

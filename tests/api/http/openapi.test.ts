import { beforeAll, expect, test } from 'vitest'
import { ERRORS } from '#lib/errors'
import { operations } from '#lib/operations/all'
import { issueToken } from '#lib/services/workspaces/tokens'
import { knock } from '#tests/support/door'
import { at, document, documented, faults, schemaAt } from '#tests/support/files/document'
import {
  aCampaign,
  aDataset,
  aMailbox,
  anEnrolledLead,
  aTemplate,
  aUser,
} from '#tests/support/scenes/factories'

// Set before any module reads the environment: one owner asks for every operation, more than a minute allows.
process.env.RATE_LIMIT_WRITE = '100000'

/** Every value below `value` whose key is `key`. */
function allOf(value: unknown, key: string): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === key ? [inner] : []),
    ...allOf(inner, key),
  ])
}

/** The paths of keys that lead to a schema. */
function placesOfSchemas(value: unknown, trail: string[]): string[][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'schema' ? [[...trail, key]] : placesOfSchemas(inner, [...trail, key]),
  )
}

test('it is served as JSON to anybody', async () => {
  const response = await knock('GET', '/openapi.json')
  expect(response.status).toBe(200)
  const served = await response.json()
  expect(served.openapi).toBe('3.1.0')
  expect(served.paths).toEqual(document.paths)
})

test('it documents every operation of the registry, and no other', () => {
  const ids = documented.map(({ operation }) => operation.operationId)
  expect(ids.toSorted()).toEqual(operations.map(({ contract }) => contract.id).toSorted())
})

test('every reference leads somewhere', () => {
  const refs = allOf(document, '$ref') as string[]
  expect(refs.length).toBeGreaterThan(50)
  expect(refs.filter((ref) => at(ref) === undefined)).toEqual([])
})

test('every flat code of the product is listed', () => {
  expect(document.components.schemas.FlatError.properties.detail.enum).toEqual(Object.keys(ERRORS))
})

test.each(documented)('$operation.operationId is described whole', ({ path, operation }) => {
  expect(operation).toMatchObject({ summary: expect.any(String), tags: [expect.any(String)] })
  const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
  expect(inPath.map(({ name }) => name).toSorted()).toEqual(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted(),
  )
  for (const parameter of inPath) expect(parameter.required).toBe(true)
  const statuses = Object.keys(operation.responses)
  expect(statuses.filter((status) => status.startsWith('2'))).toHaveLength(1)
  expect(statuses).toContain('422')
  if (operation.requestBody) expect(statuses).toContain('400')
  if (operation['x-scope']) expect(statuses).toEqual(expect.arrayContaining(['401', '403', '429']))
  for (const response of Object.values(operation.responses))
    expect(response.description).toEqual(expect.any(String))
})

test.each(documented)('every schema of $operation.operationId compiles', ({ path, method, operation }) => {
  const places = placesOfSchemas(operation, ['paths', path, method])
  expect(places.length).toBeGreaterThan(0)
  for (const place of places) expect(schemaAt(...place)).toBeTypeOf('function')
})

let authorization = ''
let values: Record<string, string> = {}
beforeAll(async () => {
  const owner = await aUser()
  authorization = `Bearer ${await issueToken(owner.user_id, new Date())}`
  const { campaign_id, dataset_id } = await aCampaign(owner, { steps_config: [{ message_template: 'Hi' }] })
  await anEnrolledLead(owner, { campaign_id })
  await aDataset(owner)
  values = {
    campaign_id,
    dataset_id,
    template_id: (await aTemplate(owner)).template_id,
    mailbox_id: (await aMailbox(owner)).mailbox_id,
  }
})

const filled = (path: string) =>
  path.replace('/api/v1', '').replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? crypto.randomUUID())

const ask = (method: string, path: string, init: RequestInit = {}) =>
  knock(method.toUpperCase(), filled(path), { ...init, headers: { authorization } })

test.each(documented.filter(({ method }) => method === 'get'))(
  'what GET $path answers matches the document',
  async ({ path, method }) => {
    const response = await ask(method, path)
    const type = response.headers.get('content-type')?.split(';')[0]
    const body = type === 'application/json' ? await response.json() : await response.text()
    expect(faults(path, method, response.status, body, type)).toBeNull()
  },
)

test.each(documented.filter(({ operation }) => operation['x-scope']))(
  'the refusals of $operation.operationId match the document',
  async ({ path, method, operation }) => {
    const unknown = await knock(method.toUpperCase(), filled(path))
    expect(unknown.status).toBe(401)
    expect(faults(path, method, 401, await unknown.json())).toBeNull()
    if (operation.requestBody) {
      const invalid = await ask(method, path, { body: '{' })
      expect(invalid.status).toBe(422)
      expect(faults(path, method, 422, await invalid.json())).toBeNull()
    }
    if (path.includes('{')) {
      const target = path.replace('/api/v1', '').replace(/\{\w+\}/g, 'x'.repeat(201))
      const response = await knock(method.toUpperCase(), target, { headers: { authorization } })
      // A malformed id names nothing. The interface document declares one of them a uuid.
      const isUuid = operation.operationId === 'pauseCampaign'
      const status = isUuid || operation.requestBody?.required ? 422 : 404
      expect(response.status).toBe(status)
      expect(faults(path, method, status, await response.json())).toBeNull()
    }
  },
)

const CREATED: [string, string, unknown][] = [
  ['post', '/api/v1/templates/', { name: 'T', content: { subject: 's', body: 'b' } }],
  ['post', '/api/v1/sender-profiles/', { profile_name: 'P', sender_data: { any: ['thing'] } }],
  ['post', '/api/v1/api-keys', { name: 'K', expires_at: '2100-01-01T02:00:00+02:00' }],
  ['patch', '/api/v1/templates/{template_id}', { name: 'Changed' }],
  ['patch', '/api/v1/campaigns/{campaign_id}', { playground_discovery_dismissed_at: '2030-01-01T00:00:00Z' }],
  ['patch', '/api/v1/datasets/{dataset_id}', { dataset_name: 'Changed' }],
]

test.each(CREATED)('what %s %s answers matches the document', async (method, path, body) => {
  const response = await ask(method, path, { body: JSON.stringify(body) })
  expect(response.status).toBeLessThan(300)
  expect(faults(path, method, response.status, await response.json())).toBeNull()
})

import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { contracts } from '#lib/contracts/all'
import type { Contract } from '#lib/contracts/contract'
import { env } from '#lib/env'
import { findInApi } from '#lib/http/api/paths'
import type { Handlers } from '#lib/http/route'
import { createApiKey } from '#lib/services/workspaces/api-keys'
import { ROOT } from '#tests/support/code/source-files'
import { aUser } from '#tests/support/scenes/factories'

/**
 * The API has two implementations of its routing: route files, for `next dev` and serverless hosts, and what `npm run up`
 * serves on plain Node from the operations themselves. Here each request goes through both.
 */
type Door = { handlers: Handlers; params: Record<string, string> }

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
const VALUES: Record<string, string> = { step_number: '1' }
const NOBODY = '01900000-0000-7000-8000-000000000000'

const paths = [...new Set(contracts.map((contract) => contract.path.replace(/\/$/, '')))]
const targetOf = (template: string) =>
  `/api/v1${template.replace(/\{(\w+)\}/g, (_, name) => VALUES[name] ?? NOBODY)}`

async function doorsOf(template: string): Promise<{ file: Door; node: Door }> {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const params = Object.fromEntries(names.map((name) => [name, VALUES[name] ?? NOBODY]))
  const file = path.join(ROOT, 'app/api/v1', template.replace(/\{(\w+)\}/g, '[$1]'), 'route.ts')
  const handlers: Handlers = await import(pathToFileURL(file).href)
  const node = findInApi(targetOf(template))
  if (!node) throw new Error(`${template} is not found`)
  return { file: { handlers, params }, node }
}

/** Replaces timestamps, which differ between any two requests. */
const momentary = (text: string) => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'now')

async function through({ handlers, params }: Door, method: keyof Handlers | 'HEAD', request: Request) {
  const handle = handlers[method === 'HEAD' ? 'GET' : method]
  const response = await handle(request, { params: Promise.resolve(params) })
  const headers = Object.fromEntries(response.headers)
  expect(headers['x-request-id']).toMatch(/^[\w-]{36}$/)
  for (const name of ['x-request-id', 'ratelimit-remaining', 'ratelimit-reset']) delete headers[name]
  return { status: response.status, headers, text: momentary(await response.text()) }
}

async function ofBoth(template: string, method: keyof Handlers | 'HEAD', init: RequestInit = {}) {
  const { file, node } = await doorsOf(template)
  const request = () => new Request(`http://opener.test${targetOf(template)}`, { ...init, method })
  return [await through(file, method, request()), await through(node, method, request())]
}

let headers: Record<string, string>
beforeAll(async () => {
  // The requests of this file, hundreds within a minute, must not be rate limited.
  for (const rate of ['RATE_LIMIT_READ', 'RATE_LIMIT_WRITE', 'RATE_LIMIT_AI'] as const) env()[rate] = 100_000
  const owner = await aUser({ tier: 'scale' })
  const scopes = ['read', 'write', 'send', 'admin'] as const
  const { key } = await createApiKey(owner, { name: 'Doors', scopes: [...scopes] }, new Date())
  headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
})

test('Node finds every operation by its path, with and without the slash at its end', async () => {
  expect(paths.length).toBeGreaterThan(100)
  for (const template of paths) {
    const { file, node } = await doorsOf(template)
    expect([template, node.params]).toEqual([template, file.params])
    expect(Object.keys(node.handlers).toSorted()).toEqual(METHODS.toSorted())
    expect(findInApi(`${targetOf(template)}/`)).toEqual(node)
  }
})

test('strangers, wrong methods and questions for methods are answered alike by both doors', async () => {
  const statuses = new Set<number>()
  for (const template of paths)
    for (const method of [...METHODS, 'HEAD'] as const) {
      const [file, node] = await ofBoth(template, method)
      expect([template, method, node]).toEqual([template, method, file])
      statuses.add(node?.status ?? 0)
    }
  for (const status of [200, 204, 401, 405]) expect(statuses).toContain(status)
}, 60_000)

const told = (filter: (contract: Contract) => unknown) =>
  contracts
    .filter(filter)
    .map(({ id, method, path: template }) => ({ id, method, template: template.replace(/\/$/, '') }))

test.each(told(({ method, file }) => method === 'GET' && !file))(
  '$id reads the same through both doors',
  async ({ template, method }) => {
    const [file, node] = await ofBoth(template, method, { headers })
    expect(node).toEqual(file)
    expect([200, 403, 404, 422]).toContain(node?.status)
  },
)

test.each(told(({ body, stream }) => body && !stream))(
  '$id refuses what it cannot read alike',
  async ({ template, method }) => {
    for (const body of ['{', 'null']) {
      const [file, node] = await ofBoth(template, method, { headers, body })
      expect(node).toEqual(file)
      expect([200, 400, 403, 404, 409, 422, 429, 502, 503]).toContain(node?.status)
    }
  },
)

test('the document and unknown paths are answered alike too', async () => {
  const [document, same] = await ofBoth('/openapi.json', 'GET')
  expect(same).toEqual(document)
  expect(JSON.parse(same?.text ?? '').openapi).toMatch(/^3\.1/)
  const [refused, alike] = await ofBoth('/openapi.json', 'POST', { body: '{}' })
  expect(alike).toEqual(refused)
  expect([alike?.status, alike?.headers.allow]).toEqual([405, 'GET'])
  const unknown: { GET: Handlers['GET'] } = await import('../../../app/api/v1/[...path]/route.ts')
  expect(findInApi('/api/v1/nothing')?.handlers.GET).toBe(unknown.GET)
})

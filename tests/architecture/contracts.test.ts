import * as fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { contracts as listed } from '#lib/contracts/all'
import type { Contract } from '#lib/contracts/contract'
import { operations } from '#lib/operations/all'
import { ROOT, sources } from '#tests/support/code/source-files'

type Named = { name: string; contract: Contract }

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const isContract = (value: unknown): value is Contract =>
  typeof value === 'object' && value !== null && 'id' in value && 'method' in value && 'path' in value

/** Every contract that a file of lib/contracts exports. */
async function exportedContracts(): Promise<Named[]> {
  const files = sources().filter(({ file }) => file.startsWith('lib/contracts/'))
  const modules = await Promise.all(
    files.map(({ file }) => import(pathToFileURL(path.join(ROOT, file)).href)),
  )
  return modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, value]) => (isContract(value) ? [{ name, contract: value }] : [])),
  )
}

const contracts = await exportedContracts()
const routeFileOf = ({ path: template }: Contract) =>
  path.posix.join('app/api/v1', template.replace(/\{(\w+)\}/g, '[$1]'), 'route.ts')

test('contracts were found', () => {
  expect(contracts.length).toBeGreaterThan(20)
})

test('every contract is in the registry exactly once, and nothing else is', () => {
  const registered = operations.map(({ contract }) => contract.id).toSorted()
  expect(registered).toEqual(contracts.map(({ contract }) => contract.id).toSorted())
  expect(registered).toEqual([...new Set(registered)])
  for (const { contract } of contracts)
    expect(operations.some((operation) => operation.contract === contract)).toBe(true)
})

test('lib/contracts/all.ts lists every contract once, so that the client has a method for each', () => {
  const ids = listed.map(({ id }) => id)
  expect(ids.toSorted()).toEqual(contracts.map(({ contract }) => contract.id).toSorted())
  expect(ids).toEqual([...new Set(ids)])
})

test('a POST whose fields may all be left out may be sent without a body', () => {
  const posts = contracts.filter(({ contract }) => contract.method === 'POST' && contract.body)
  const takes = ({ body }: Contract, value: unknown) => body?.safeParse(value).success
  const strict = posts.filter(({ contract }) => takes(contract, {}) && !takes(contract, undefined))
  expect(strict.map(({ contract }) => contract.id)).toEqual([])
})

test('no two contracts answer the same method of the same path', () => {
  const places = contracts.map(
    ({ contract }) =>
      `${contract.method} ${contract.path.replace(/\{\w+\}/g, '{}').replace(/(?<=.)\/$/, '')}`,
  )
  expect(places).toEqual([...new Set(places)])
})

const tests = sources().filter(({ file }) => /^tests\/(api|jobs|e2e)\/.*\.test\.ts$/.test(file))

test.each(contracts)('$contract.id is named alike on every floor and has a test', ({ name, contract }) => {
  expect(name[0]?.toLowerCase() + name.slice(1)).toBe(contract.id)
  const mention = new RegExp(`\\b(${name}|${contract.id})\\b`)
  expect(tests.filter(({ code }) => mention.test(code)).map(({ file }) => file)).not.toEqual([])
})

test.each(contracts)('$contract.id has a route file that names its operation', async ({ contract }) => {
  const file = path.join(ROOT, routeFileOf(contract))
  expect(fs.existsSync(file)).toBe(true)
  expect(fs.readFileSync(file, 'utf8')).toMatch(new RegExp(`routes\\([^)]*\\b${contract.id}\\b`))
  const module = await import(pathToFileURL(file).href)
  for (const method of METHODS) expect(module[method]).toBeTypeOf('function')
})

test('every route file below app/api/v1 is one of a contract', () => {
  const known = new Set(contracts.map(({ contract }) => routeFileOf(contract)))
  // The first two answer unknown paths; the third is the OpenAPI document itself.
  const own = ['app/api/v1/[...path]/route.ts', 'app/api/v1/route.ts', 'app/api/v1/openapi.json/route.ts']
  const files = sources()
    .map(({ file }) => file)
    .filter((file) => file.startsWith('app/api/v1/') && file.endsWith('/route.ts'))
  expect(files.filter((file) => !known.has(file) && !own.includes(file))).toEqual([])
})

/** Lists whose envelope the interface document fixes; every other list is {items, total, page, page_size}. */
const ENVELOPES: Record<string, string[]> = {
  listApiKeys: ['count', 'keys', 'tier_limit'],
  listCampaigns: ['campaigns', 'page', 'page_size', 'total'],
  listTemplates: ['templates', 'total'],
  listDatasets: ['datasets', 'page', 'page_size', 'total_count'],
  listSenderProfiles: ['page', 'page_size', 'sender_profiles', 'total'],
  listSocialPosts: ['accounts', 'items', 'next_after', 'total_count'],
  listConversations: ['conversations', 'total'],
  listGenerations: ['generations', 'has_more', 'limit', 'offset', 'total_generations'],
}
const lists = contracts.filter(({ contract }) => contract.id.startsWith('list'))

test.each(lists)('$contract.id answers in its envelope', ({ contract }) => {
  expect(contract.response).toBeInstanceOf(z.ZodObject)
  const shape = (contract.response as z.ZodObject).shape
  expect(Object.keys(shape).toSorted()).toEqual(
    ENVELOPES[contract.id] ?? ['items', 'page', 'page_size', 'total'],
  )
})

/** Operations that take a body and change nothing. */
const COMPUTES = ['forecastDraft', 'forecastEdit', 'previewDraftStep', 'previewStep', 'renderTemplate']
/** Reads that return the whole account: for users who may manage it. */
const WHOLE_ACCOUNT = ['exportAccount']

test.each(contracts)('$contract.id says what its method, status and parameters imply', ({ contract }) => {
  const named = [...contract.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const declared = contract.params instanceof z.ZodObject ? Object.keys(contract.params.shape) : []
  expect(declared.toSorted()).toEqual(named.toSorted())
  if (contract.method === 'GET') expect(contract.body).toBeUndefined()
  expect(contract.response === null).toBe(contract.status === 204)
  if (contract.method === 'DELETE') expect(contract).toMatchObject({ status: 204, destructive: true })
  if (named.length > 0) expect(contract.refusals).toContain(404)
  if (contract.scope === 'read' && contract.method !== 'GET') expect(COMPUTES).toContain(contract.id)
  if (WHOLE_ACCOUNT.includes(contract.id)) expect(contract.scope).toBe('admin')
  else if (contract.method === 'GET') expect(['read', null]).toContain(contract.scope)
  expect(contract.summary.length).toBeGreaterThan(5)
})

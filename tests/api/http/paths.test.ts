import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Contract, contract } from '#lib/contracts/contract'
import { apiRoutes } from '#lib/http/api/paths'
import { unknownPaths } from '#lib/http/route'
import { ROOT } from '#tests/support/code/source-files'
import { everywhere, forPrograms } from '../../../lib/http/api/headers.mjs'

const reading = (path: string, params: string[] = []): Contract =>
  contract({
    id: path,
    method: 'GET',
    path,
    tag: 'Meta',
    summary: path,
    params: z.object(Object.fromEntries(params.map((name) => [name, z.string()]))),
    response: z.object({ path: z.string(), params: z.record(z.string(), z.string()) }),
    status: 200,
    errors: 'flat',
    scope: null,
  })

const contracts = [
  reading('/things/'),
  reading('/things/{id}', ['id']),
  reading('/things/new'),
  reading('/things/new/parts'),
  reading('/things/{id}/parts/{part}', ['id', 'part']),
]
const answering = contracts.map((one) => ({
  contract: one,
  act: async ({ params }: { params: Record<string, string> }) => ({ path: one.path, params }),
}))
const find = apiRoutes(answering)

test.each([
  ['/api/v1/things', '/things/', {}],
  ['/api/v1/things/', '/things/', {}],
  ['/api/v1/things/7', '/things/{id}', { id: '7' }],
  ['/api/v1/things/7/', '/things/{id}', { id: '7' }],
  ['/api/v1/things/new', '/things/new', {}],
  ['/api/v1/things/new/parts', '/things/new/parts', {}],
  ['/api/v1/things/new/parts/8', '/things/{id}/parts/{part}', { id: 'new', part: '8' }],
  ['/api/v1/things/a%2Fb%20c', '/things/{id}', { id: 'a/b c' }],
  ['/api/v1/things/..', '/things/{id}', { id: '..' }],
  ['/api/v1/things/__proto__', '/things/{id}', { id: '__proto__' }],
  ['/api/v1/things/7/parts/8', '/things/{id}/parts/{part}', { id: '7', part: '8' }],
])('%s is answered by %s', async (asked, path, params) => {
  const found = find(asked)
  expect(found?.params).toEqual(params)
  const request = new Request(`http://opener.test${asked}`)
  const answer = await found?.handlers.GET(request, { params: Promise.resolve(found.params) })
  expect(await answer?.json()).toEqual({ path, params })
})

test.each([
  '/api/v1',
  '/api/v1/',
  '/api/v1//things',
  '/api/v1/things//',
  '/api/v1/things//parts/8',
  '/api/v1/things/7/parts',
  '/api/v1/things/7/parts/8/9',
  '/api/v1/%74hings',
  '/api/v1/Things',
  '/api/v1/nothing',
])('%s is unknown to the API', (asked) => {
  expect(find(asked)).toEqual({ handlers: unknownPaths, params: {} })
})

test.each(['/', '/home', '/things', '/api', '/api/v2/things', '/api/v1things', '/API/v1/things', '*'])(
  '%s is left to the framework',
  (asked) => {
    expect(find(asked)).toBeNull()
  },
)

test('one place in a path has one name', () => {
  const others = [reading('/things/{thing}/owner', ['thing'])].map((one) => ({
    contract: one,
    act: async () => 0,
  }))
  expect(() => apiRoutes([...answering, ...others])).toThrow('calls a parameter thing that is id elsewhere')
})

test('every answer gets the headers that the configuration gives to the API', async () => {
  const { default: config } = await import(pathToFileURL(path.join(ROOT, 'next.config.mjs')).href)
  const configured: { source: string; headers: object[] }[] = await config.headers()
  const ofApi = configured.filter(({ source }) => ['/:path*', '/api/v1/:path*'].includes(source))
  // The framework would ignore a rule for a part of the API.
  expect(configured.filter(({ source }) => source.startsWith('/api'))).toHaveLength(1)
  expect(ofApi.flatMap(({ headers }) => headers)).toEqual([...everywhere, ...forPrograms])
})

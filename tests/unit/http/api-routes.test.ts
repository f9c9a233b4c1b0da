import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiRoutes } from '#lib/http/api-routes'

const root = mkdtempSync(path.join(os.tmpdir(), 'opener-routes-'))
afterAll(() => rmSync(root, { recursive: true }))

const PAGES = [
  '/api/v1/things',
  '/api/v1/things/[id]',
  '/api/v1/things/[id]/parts/[part]',
  '/api/v1/[...path]',
]

/** A build as the framework leaves one: two manifests and a file for each route. */
beforeAll(() => {
  const write = (name: string, text: string) => {
    const file = path.join(root, 'built', name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  writeFileSync(path.join(root, 'package.json'), '{}')
  write(
    'app-path-routes-manifest.json',
    JSON.stringify({
      ...Object.fromEntries(PAGES.map((page) => [`${page}/route`, page])),
      '/home/page': '/home',
    }),
  )
  const dynamic = (page: string, namedRegex: string) => ({ page, namedRegex })
  write(
    'routes-manifest.json',
    JSON.stringify({
      headers: [
        { regex: '^(?:/(.*))?$', headers: [{ key: 'X-Content-Type-Options', value: 'nosniff' }] },
        { regex: '^/api/v1(?:/(.*))?$', headers: [{ key: 'Content-Security-Policy', value: 'sandbox' }] },
        { regex: '^/metrics$', headers: [{ key: 'X-Other', value: 'no' }] },
      ],
      dynamicRoutes: [
        dynamic('/campaigns/[id]', '^/campaigns/(?<nxtPid>[^/]+?)(?:/)?$'),
        dynamic('/api/v1/things/[id]', '^/api/v1/things/(?<nxtPid>[^/]+?)(?:/)?$'),
        dynamic(
          '/api/v1/things/[id]/parts/[part]',
          '^/api/v1/things/(?<nxtPid>[^/]+?)/parts/(?<nxtPpart>[^/]+?)(?:/)?$',
        ),
        dynamic('/api/v1/[...path]', '^/api/v1/(?<nxtPpath>.+?)(?:/)?$'),
      ],
    }),
  )
  for (const page of PAGES)
    write(
      `server/app${page}/route.js`,
      `let made; exports.routeModule = {
         ensureUserland: async () => { made = { GET: async () => new Response(${JSON.stringify(page)}) } },
         get userland() { if (!made) throw new Error('asked before it was there'); return made } }`,
    )
})

test.each([
  ['/api/v1/things', '/api/v1/things', {}],
  ['/api/v1/things/', '/api/v1/things', {}],
  ['/api/v1/things/7', '/api/v1/things/[id]', { id: '7' }],
  ['/api/v1/things/7/', '/api/v1/things/[id]', { id: '7' }],
  ['/api/v1/things/a%2Fb%20c', '/api/v1/things/[id]', { id: 'a/b c' }],
  ['/api/v1/things/7/parts/8', '/api/v1/things/[id]/parts/[part]', { id: '7', part: '8' }],
  ['/api/v1/things/7/parts', '/api/v1/[...path]', { path: 'things/7/parts' }],
  ['/api/v1//things', '/api/v1/[...path]', { path: '/things' }],
])('%s is answered by %s', async (asked, page, params) => {
  const routes = apiRoutes(root, 'built')
  expect(routes.find(asked)).toEqual({ page, params })
  const { GET } = await routes.fileOf(page)
  const answer = await GET?.(new Request('http://opener.test'), { params: Promise.resolve(params) })
  expect(await answer?.text()).toBe(page)
})

test.each([
  '/',
  '/home',
  '/campaigns/7',
  '/api/v1',
  '/api/v1/',
  '/api/v2/things',
  '/api/v1things',
  '/API/v1/things',
])('%s is left to the framework', (asked) => {
  expect(apiRoutes(root, 'built').find(asked)).toBeNull()
})

test('every answer gets the headers that the configuration gives to the API', () => {
  expect(apiRoutes(root, 'built').headers).toEqual([
    { key: 'X-Content-Type-Options', value: 'nosniff' },
    { key: 'Content-Security-Policy', value: 'sandbox' },
  ])
})

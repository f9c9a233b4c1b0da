import * as fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Env } from '#lib/env'
import { findWay, type Route } from '../../../tools/vercel/routes.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')

test('functions on Vercel last as long as rounds of work expect', () => {
  const { functions } = JSON.parse(fs.readFileSync(path.join(ROOT, 'vercel.json'), 'utf8'))
  const expected = Env.shape.MAX_DURATION_SECONDS.parse(undefined)
  const durations = Object.values(functions as Record<string, { maxDuration: number }>)
  expect(durations.map(({ maxDuration }) => maxDuration)).toEqual([expected])
  const route = fs.readFileSync(path.join(ROOT, 'app/api/inngest/route.ts'), 'utf8')
  expect(route).toContain(`export const maxDuration = ${expected}\n`)
})

const ROUTES: Route[] = [
  { src: '^/api/(.*)$', headers: { 'X-For': 'programs' }, continue: true },
  { src: '^/form$', has: [{ type: 'header', key: 'content-type', value: 'multipart/.*' }], dest: '/submit' },
  { handle: 'filesystem' },
  { handle: 'rewrite' },
  {
    src: '^[/]?/api/datasets/(?<nxtPdataset_id>[^/]+?)(?:/)?$',
    dest: '/api/datasets/[dataset_id]?nxtPdataset_id=$nxtPdataset_id',
    check: true,
  },
  { src: '^[/]?/api/(?<nxtPpath>.+?)(?:/)?$', dest: '/api/[...path]?nxtPpath=$nxtPpath', check: true },
  { handle: 'error' },
  { src: '/.*', dest: '/_not-found', status: 404 },
]
const THERE = [
  '/api/datasets',
  '/api/datasets/[dataset_id]',
  '/api/[...path]',
  '/form',
  '/submit',
  '/_not-found',
]

test.each([
  ['/api/datasets', {}, '/api/datasets', {}],
  ['/api/datasets/0190-a', {}, '/api/datasets/[dataset_id]', { nxtPdataset_id: '0190-a' }],
  ['/api/datasets/0190-a/', {}, '/api/datasets/[dataset_id]', { nxtPdataset_id: '0190-a' }],
  ['/api/else/1', {}, '/api/[...path]', { nxtPpath: 'else/1' }],
  ['/form', {}, '/form', {}],
  ['/form', { 'content-type': 'multipart/form-data' }, '/submit', {}],
  ['/nowhere', {}, '/_not-found', {}],
])(
  'of a build output %s with %j is answered by %s',
  async (asked, headers: Record<string, string>, to, query) => {
    const end = await findWay(
      ROUTES,
      { path: asked, query: new URLSearchParams(), headers: {} },
      { method: 'GET', header: (name) => headers[name] },
      (at) => THERE.includes(at),
      async () => null,
    )
    expect(end).toMatchObject({ found: true, way: { path: to } })
    expect(Object.fromEntries(end.way.query)).toEqual(query)
    expect(end.way.headers).toEqual(asked.startsWith('/api/') ? { 'x-for': 'programs' } : {})
    expect(end.way.status).toBe(to === '/_not-found' ? 404 : undefined)
  },
)

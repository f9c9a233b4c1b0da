import * as fs from 'node:fs'
import { expect, test } from 'vitest'
import { importsOf, resolveImport, sources } from '#tests/support/code/source-files'

/** Which layer may import which; a layer may always import itself. */
const FLOORS: Record<string, readonly string[]> = {
  errors: [],
  env: [],
  'log-output': [],
  'process-state': [],
  tracing: ['process-state'],
  metrics: ['process-state', 'tracing'],
  domain: [],
  contracts: ['domain'],
  client: ['contracts'],
  db: ['env', 'process-state'],
  events: ['env', 'tracing'],
  providers: ['env', 'errors', 'log-output'],
  services: [
    'errors',
    'env',
    'log-output',
    'process-state',
    'metrics',
    'domain',
    'contracts',
    'db',
    'events',
    'providers',
  ],
  operations: ['contracts', 'services'],
  http: ['errors', 'env', 'log-output', 'metrics', 'tracing', 'contracts', 'operations', 'services', 'agent'],
  agent: ['errors', 'env', 'domain', 'contracts', 'operations', 'services', 'providers'],
  engine: ['env', 'log-output', 'db', 'events'],
  components: ['domain', 'contracts'],
  inngest: ['events', 'services', 'http', 'metrics', 'tracing'],
  app: [
    'components',
    'inngest',
    'errors',
    'contracts',
    'services',
    'operations',
    'http',
    'agent',
    'events',
    'tracing',
  ],
}

/** Outside the layers: they start, fill and test the product. */
const OUTSIDE = new Set(['prisma', 'scripts', 'tests', 'tools'])

function roomOf(file: string): string {
  const [first = '', second = ''] = file.split('/')
  return first === 'lib' ? second.replace(/\.ts$/, '') : first
}

const files = sources()
const edges = files.flatMap(({ file, code }) =>
  importsOf(code).map((specifier) => ({ file, specifier, target: resolveImport(file, specifier) })),
)
const ours = edges.flatMap(({ file, target }) => (target === null ? [] : [{ file, target }]))
const packages = edges.filter(({ target }) => target === null)
const isLib = (file: string) => file.startsWith('lib/')

test('the reader of imports sees every form, types too, and nothing in comments', () => {
  const code = `
import a from 'one'
import type { B } from "two"
import { c,
  d } from 'three'
import 'four'
export { e } from 'five'
export type * from 'six'
const lazy = () => import('seven')
// import x from 'never'
/* export * from 'never' */
const text = 'see http://x // import y'
import last from 'eight'`
  expect(importsOf(code)).toEqual(['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'])
})

test('it saw the whole house', () => {
  expect(files.length).toBeGreaterThan(200)
  expect(ours.length).toBeGreaterThan(600)
  for (const room of ['contracts', 'http', 'services', 'app', 'components'])
    expect(files.some(({ file }) => roomOf(file) === room)).toBe(true)
})

test('every file stands in a room that the table knows', () => {
  const rooms = files.map(({ file }) => roomOf(file)).filter((room) => !OUTSIDE.has(room))
  expect([...new Set(rooms)].filter((room) => !(room in FLOORS))).toEqual([])
})

test('the picture in docs/architecture.md shows these floors', () => {
  const [, graph = ''] = fs.readFileSync('docs/architecture.md', 'utf8').split('graph TD\n')
  const drawn = [...(graph.split('```')[0] ?? '').matchAll(/^ +([\w-]+) --> (.+)$/gm)].map(
    ([, from = '', to = '']) => [from, to.split(' & ').toSorted()],
  )
  const held = Object.entries(FLOORS).filter(([, to]) => to.length > 0)
  expect(Object.fromEntries(drawn)).toEqual(
    Object.fromEntries(held.map(([from, to]) => [from, to.toSorted()])),
  )
})

test('every import of ours names a file', () => {
  const known = new Set(files.map(({ file }) => file))
  const lost = ours.filter(
    ({ target }) => /\.tsx?$/.test(target) && !target.startsWith('lib/db/generated/') && !known.has(target),
  )
  expect(lost).toEqual([])
})

test('a room imports only what its floor permits', () => {
  const wrong = ours.filter(({ file, target }) => {
    const [from, to] = [roomOf(file), roomOf(target)]
    return !OUTSIDE.has(from) && from !== to && !FLOORS[from]?.includes(to)
  })
  expect(wrong.map(({ file, target }) => `${file} -> ${target}`)).toEqual([])
})

test('of the providers an agent may import only those of AI', () => {
  const wrong = ours.filter(
    ({ file, target }) =>
      roomOf(file) === 'agent' && roomOf(target) === 'providers' && !target.startsWith('lib/providers/ai/'),
  )
  expect(wrong).toEqual([])
})

test('only services and db know Prisma', () => {
  const wrong = edges.filter(
    ({ file, specifier }) =>
      !OUTSIDE.has(roomOf(file)) &&
      /^@prisma\/|^prisma$|db\/generated/.test(specifier) &&
      !['services', 'db'].includes(roomOf(file)),
  )
  expect(wrong.map(({ file, specifier }) => `${file} -> ${specifier}`)).toEqual([])
})

test('in lib only http knows the web framework, and only db, services and engine the driver of Postgres', () => {
  const wrong = packages.filter(({ file, specifier }) => {
    if (!isLib(file)) return false
    if (/^(next|next-auth|react|react-dom)(\/|$)/.test(specifier)) return roomOf(file) !== 'http'
    return (
      /^pg(-copy-streams)?$/.test(specifier) &&
      !['db', 'services', 'engine', 'providers'].includes(roomOf(file))
    )
  })
  expect(wrong.map(({ file, specifier }) => `${file} -> ${specifier}`)).toEqual([])
})

test('the client runs wherever there is fetch', () => {
  const wrong = packages.filter(({ file, specifier }) => roomOf(file) === 'client' && specifier !== 'zod')
  expect(wrong.map(({ file, specifier }) => `${file} -> ${specifier}`)).toEqual([])
})

test('the domain does no I/O and reads no clock', () => {
  const wrong = files.filter(
    ({ file, code }) =>
      roomOf(file) === 'domain' &&
      (importsOf(code).some((specifier) =>
        /^node:(?!crypto$)|^(pg|inngest|nodemailer|pino)$/.test(specifier),
      ) ||
        /\bDate\.now\(\)|new Date\(\)|Math\.random\(|\bfetch\(|process\.env/.test(code)),
  )
  expect(wrong.map(({ file }) => file)).toEqual([])
})

test('nothing imports in a circle', () => {
  const graph = new Map<string, string[]>()
  for (const { file, target } of ours) graph.set(file, [...(graph.get(file) ?? []), target])
  expect(circle(graph)).toBeNull()
})

test('the search for circles finds one', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c']],
    ['c', ['a']],
  ])
  expect(circle(graph)).toEqual(['a', 'b', 'c', 'a'])
})

/** The first import path that leads back to its start, or null. */
function circle(graph: Map<string, string[]>): string[] | null {
  const done = new Set<string>()
  const walk = (file: string, trail: string[]): string[] | null => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file]
    if (done.has(file)) return null
    for (const next of graph.get(file) ?? []) {
      const found = walk(next, [...trail, file])
      if (found) return found
    }
    done.add(file)
    return null
  }
  for (const file of graph.keys()) {
    const found = walk(file, [])
    if (found) return found
  }
  return null
}

test('what answers the API needs nothing of the framework’s request: it is led past its router', () => {
  const asking = new Set(
    packages
      .filter(({ specifier }) => /^next\/(headers|navigation|cache|server)$/.test(specifier))
      .map(({ file }) => file),
  )
  const seen = new Set(
    files.map(({ file }) => file).filter((file) => /^app\/api\/v1\/.*route\.ts$/.test(file)),
  )
  expect(seen.size).toBeGreaterThan(100)
  // Iterating a set includes the elements that are added meanwhile.
  for (const file of seen) for (const edge of ours) if (edge.file === file) seen.add(edge.target)
  expect([...seen].filter((file) => asking.has(file))).toEqual([])
  expect(asking.size).toBeGreaterThan(10)
})

test('there are no barrels and no drawers', () => {
  const barrels = files.filter(
    ({ file, code }) =>
      !file.startsWith('tests/') && /(^|\n)export\s+(type\s+)?(\*|\{[^}]*\})\s*(as\s+\w+\s*)?from/.test(code),
  )
  const drawers = files.filter(({ file }) => /(^|\/)(utils?|helpers|misc|common)(\/|\.tsx?$)/.test(file))
  const indexes = files.filter(({ file }) => /(^|\/)index\.tsx?$/.test(file))
  expect([...barrels, ...drawers, ...indexes].map(({ file }) => file)).toEqual([])
})

/** Their JSON is sealed, compared, sent or our own; all other JSON goes to jsonb through `jsonText`. */
const BARE_JSON = [
  'campaigns/variant-weights',
  'leads/rows/sheets/state',
  'messages/references',
  'reading/lead-rows',
  'senders/accounts/account-links',
  'senders/grants/links',
  'telling/webhook-deliveries',
  'workspaces/archive/account-export',
  'workspaces/confirmations',
  'workspaces/tokens',
].map((name) => `lib/services/${name}.ts`)

test('services write jsonb by jsonText: a NUL or half a letter of others must not undo a whole statement', () => {
  const bare = files.filter(
    ({ file, code }) => file.startsWith('lib/services/') && code.includes('JSON.stringify('),
  )
  expect(bare.map(({ file }) => file).toSorted()).toEqual(BARE_JSON)
})

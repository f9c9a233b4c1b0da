import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { keepRegistered, requireServerKeys, serveOrigin } from '#scripts/up/inngest-server'
import type { Role } from '#scripts/up/role'
import { services } from '#scripts/up/services'
import { createClient, SIGNING_KEY, startApp, until } from '#tests/support/engine'

/** An Inngest server of the user's own, instead of the embedded engine. */
const KEYS = { INNGEST_SIGNING_KEY: SIGNING_KEY, INNGEST_EVENT_KEY: 'event' }
const settingsOf = (role: Role) => ({
  host: '0.0.0.0',
  port: 4000,
  dataFolder: '/nowhere',
  verbose: true,
  role,
})

test('beside an Inngest server no engine is started', () => {
  const names = () =>
    services(settingsOf('all'), { database: 1, engine: 2, smtp: 3 }, {}).map(({ name }) => name)
  expect(names()).toContain('engine')
  process.env.INNGEST_BASE_URL = 'http://inngest:8288'
  try {
    expect(names()).not.toContain('engine')
  } finally {
    delete process.env.INNGEST_BASE_URL
  }
})

test('keys that the Inngest server does not know are not made up: the start says which to set', () => {
  const server = { INNGEST_BASE_URL: 'http://inngest:8288' }
  expect(() => requireServerKeys(server)).toThrow('set INNGEST_SIGNING_KEY and INNGEST_EVENT_KEY to what')
  expect(() => requireServerKeys({ ...server, ...KEYS, INNGEST_EVENT_KEY: '' })).toThrow(
    'set INNGEST_EVENT_KEY to',
  )
  for (const fine of [{}, { ...server, ...KEYS }, { ...server, INNGEST_DEV: '1' }])
    expect(() => requireServerKeys(fine)).not.toThrow()
})

test.each<[string, Role, Record<string, string>, string | undefined]>([
  ['no server', 'all', {}, undefined],
  [
    'one on this machine',
    'all',
    { INNGEST_BASE_URL: 'http://127.0.0.1:8288', APP_URL: 'https://a.example' },
    'http://127.0.0.1:4000',
  ],
  [
    'one elsewhere',
    'all',
    { INNGEST_BASE_URL: 'http://inngest:8288', APP_URL: 'https://a.example/x' },
    'https://a.example',
  ],
  [
    'a worker of its own',
    'engine',
    { INNGEST_BASE_URL: 'http://inngest:8288', INNGEST_SERVE_ORIGIN: 'http://worker:3000' },
    'http://worker:3000',
  ],
])(
  'where the server reaches the functions is never left to a Host header: %s',
  (_what, role, given, origin) => {
    expect(serveOrigin(settingsOf(role), given)).toBe(origin)
  },
)

test('a worker that no address leads to is not started', () => {
  const given = { INNGEST_BASE_URL: 'http://inngest:8288', APP_URL: 'https://a.example' }
  expect(() => serveOrigin(settingsOf('engine'), given)).toThrow('set INNGEST_SERVE_ORIGIN to where')
})

test('the server is told of the functions until it took them, by signed requests, and never of another place', async () => {
  const told: { headers: IncomingHttpHeaders; url: string }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { url } = JSON.parse(Buffer.concat(chunks).toString())
    told.push({ headers: request.headers, url })
    // The server is still starting when the app registers for the first time.
    response.writeHead(told.length === 1 ? 503 : 200, { 'content-type': 'application/json' })
    response.end(told.length === 1 ? 'starting' : '{"ok":true,"status":200}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  Object.assign(process.env, {
    ...KEYS,
    INNGEST_DEV: '0',
    INNGEST_BASE_URL: `http://127.0.0.1:${port}`,
    INNGEST_SERVE_ORIGIN: 'http://opener.internal:3000',
  })
  const client = createClient('told')
  const hello = client.createFunction({ id: 'hello', triggers: [{ event: 'hello' }] }, () => 'hello')
  const app = await startApp(client, () => [hello])
  const said: string[] = []
  const end = keepRegistered(app.url, KEYS, (line) => said.push(line))
  try {
    await until(() => said.length === 2, 'the server to take the functions')
  } finally {
    end()
    delete process.env.INNGEST_SERVE_ORIGIN
    await app.close()
    server.close()
  }
  expect(said).toEqual([
    expect.stringMatching(/^The functions could not be registered with the Inngest server/),
    'The Inngest server knows the functions.',
  ])
  expect(told.map(({ url }) => new URL(url).origin)).toEqual(Array(2).fill('http://opener.internal:3000'))
  expect(told[0]?.headers.authorization).toMatch(/^Bearer signkey-test-[0-9a-f]{64}$/)
})

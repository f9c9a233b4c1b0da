import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { ReadCampaign } from '#lib/contracts/campaigns/campaigns'
import { closeDatabase } from '#lib/db/client'
import { env } from '#lib/env'
import { timed } from '#lib/metrics'
import { operations } from '#lib/operations/all'
import { noteSweep } from '#lib/services/instance/sweeps'
import { configuredWriter } from '#lib/services/personalize/writer'
import { dnsProvider } from '#lib/services/senders/discovery/dns-provider'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'
import { dispatchAt, launched, MONDAY } from '#tests/support/scenes/launched'
import { GET } from '../../../app/metrics/route.ts'

const TOKEN = 'a-token-for-scrapers-only'
// Set before any module reads the environment.
process.env.METRICS_TOKEN = TOKEN

const scrape = async (headers: Record<string, string> = { authorization: `Bearer ${TOKEN}` }) =>
  GET(new Request('http://opener.test/metrics', { headers }), undefined)
/** Every line `name{labels} value`, as a map. */
const read = async () =>
  new Map(
    (await (await scrape()).text())
      .split('\n')
      .filter((line) => line && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )

beforeAll(() => noteSweep('dispatch', new Date('2026-03-02T09:59:00.000Z')))
afterEach(() => {
  vi.unstubAllEnvs()
  env().METRICS_TOKEN = TOKEN
})

test('only who carries the token is answered', async () => {
  for (const authorization of [
    '',
    'Bearer x',
    `Bearer ${TOKEN}x`,
    `Basic ${TOKEN}`,
    `Bearer ${TOKEN.slice(1)}`,
  ])
    expect((await scrape({ authorization })).status).toBe(401)
  const response = await scrape()
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4')
})

test.each([
  { why: 'this machine', host: '127.0.0.1:3000', from: '127.0.0.1', bound: '127.0.0.1', status: 200 },
  { why: 'this machine by IPv6', host: '[::1]:3000', from: '::1', bound: '::1', status: 200 },
  { why: 'a proxy', host: '127.0.0.1:3000', from: '203.0.113.7', bound: '127.0.0.1', status: 404 },
  { why: 'a chain', host: '127.0.0.1:3000', from: '203.0.113.7, 127.0.0.1', bound: '127.0.0.1', status: 404 },
  {
    why: 'a name that leads here',
    host: 'evil.test:3000',
    from: '127.0.0.1',
    bound: '127.0.0.1',
    status: 404,
  },
  { why: 'a server open to all', host: '127.0.0.1:3000', from: '127.0.0.1', bound: '0.0.0.0', status: 404 },
  { why: 'a server that says nothing', host: '127.0.0.1:3000', from: '127.0.0.1', bound: '', status: 404 },
])('without a token, $why: $status', async ({ host, from, bound, status }) => {
  env().METRICS_TOKEN = undefined
  env().HOST = bound
  expect((await scrape({ host, 'x-forwarded-for': from })).status).toBe(status)
})

test('requests count by operation, method and status, never by path', async () => {
  const owner = await aUser()
  const key = 'opener_http_requests_total{operation="readCampaign",method="GET",status="404"}'
  const before = (await read()).get(key) ?? 0
  for (let n = 0; n < 3; n++)
    await call(ReadCampaign, { as: owner, params: { campaign_id: crypto.randomUUID() } })
  const after = await read()
  expect(after.get(key)).toBe(before + 3)
  expect(after.get('opener_http_request_duration_seconds_count{operation="readCampaign"}')).toBe(before + 3)
  const known = new Set([...operations.map(({ contract }) => contract.id), 'mcp', 'metrics', 'unknown'])
  const named = [...after.keys()].flatMap((line) => line.match(/operation="([^"]*)"/)?.[1] ?? [])
  expect(named.filter((name) => !known.has(name))).toEqual([])
})

test('sends and queues show as they are', async () => {
  await launched()
  const { outbox } = await dispatchAt(MONDAY)
  expect(outbox).toHaveLength(3)
  const said = await read()
  expect(said.get('opener_sends_total{channel="email",outcome="accepted"}')).toBe(3)
  expect(said.get('opener_provider_duration_seconds_count{provider="smtp"}')).toBe(3)
  expect(said.get('opener_database_up')).toBe(1)
  expect(said.get('opener_open_actions{state="sending"}')).toBe(0)
  expect(said.get('opener_last_sweep_timestamp_seconds')).toBe(Date.parse('2026-03-02T09:59:00Z') / 1000)
  expect(said.get('process_cpu_seconds_total')).toBeGreaterThan(0)
})

const ASKED: [string, () => Promise<unknown>][] = [
  ['dns', async () => dnsProvider().txt('nobody.example')],
  ['model', async () => configuredWriter().model.doGenerate({ prompt: [] })],
]

test.each(ASKED)('how long the provider %s took is kept, whatever it said', async (provider, ask) => {
  const key = `opener_provider_duration_seconds_count{provider="${provider}"}`
  const before = (await read()).get(key) ?? 0
  await ask().catch(() => undefined)
  expect((await read()).get(key)).toBe(before + 1)
})

test('a driver that is timed is otherwise as it was', async () => {
  class Driver {
    #word = 'kept'
    readonly name = 'driver'
    say() {
      return this.#word
    }
    async later() {
      return this.#word
    }
  }
  const driver = timed('billing', new Driver())
  expect([driver.name, driver.say(), await driver.later()]).toEqual(['driver', 'kept', 'kept'])
  expect(driver).toBeInstanceOf(Driver)
  expect((await read()).get('opener_provider_duration_seconds_count{provider="billing"}')).toBe(1)
})

test('every name follows the conventions: ours begin with opener_, counters end in _total, units are seconds', async () => {
  const text = await (await scrape()).text()
  const types = [...text.matchAll(/^# TYPE (opener_\w+) (\w+)$/gm)].map(([, name = '', type]) => ({
    name,
    type,
  }))
  expect(types.length).toBeGreaterThan(10)
  for (const { name, type } of types) {
    expect(name.endsWith('_total')).toBe(type === 'counter')
    if (/lag|duration|timestamp/.test(name)) expect(name).toMatch(/_seconds$/)
    expect(text).toMatch(new RegExp(`^# HELP ${name} .{10,}`, 'm'))
  }
})

test('a database that is away leaves what the process counts', async () => {
  vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] })
  const url = env().DATABASE_URL
  await closeDatabase()
  env().DATABASE_URL = 'postgresql://nobody@127.0.0.1:1/nothing'
  const said = await read()
  await closeDatabase()
  env().DATABASE_URL = url
  vi.useRealTimers()
  expect(said.get('opener_database_up')).toBe(0)
  expect(said.has('opener_dispatch_lag_seconds')).toBe(false)
  const self = 'opener_http_requests_total{operation="metrics",method="GET",status="200"}'
  expect(said.get(self)).toBeGreaterThan(0)
})

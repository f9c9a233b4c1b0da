import { type ChildProcess, spawn } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Inngest, type InngestFunction } from 'inngest'
import { serve } from 'inngest/node'
import pg from 'pg'
import { freePort } from '#lib/db/free-port'
import { type EngineOptions, type RunningEngine, startEngine } from '#lib/engine/engine'

/** A real app (the SDK's own handler on node:http) and a real engine on the test file's database. */
export const SIGNING_KEY = `signkey-test-${'5a'.repeat(32)}`
export const EVENT_KEY = 'event-key-of-the-tests'
export const RETRY_DELAYS_MS = [100, 200]

/** Set by whoever runs the suite against a real Inngest server: see `#tests/support/servers/inngest`. */
export const REAL_SERVER = process.env.INNGEST_BASE_URL

type Fn = InngestFunction.Any
type LogLine = { level: string; fields: object; message: string }

export const databaseUrl = () => {
  const url = process.env.DATABASE_URL
  if (!url) throw new Error('DATABASE_URL is not set')
  return url
}

/** Collects what the engine logs. */
export function collectLog() {
  const lines: LogLine[] = []
  const at = (level: string) => (fields: object, message: string) =>
    void lines.push({ level, fields, message })
  return { lines, log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } }
}

/** The client of the tests. It reads its keys from the environment, like the product's. */
export const createClient = (id = 'app') => new Inngest({ id, logger: silent })
const silent = { info() {}, warn() {}, error() {}, debug() {} }

export type App = { url: string; port: number; requests: string[]; close: () => Promise<void> }

/** Serves `functions` over HTTP. `requests` lists "METHOD fnId stepId" of every call it got. */
export async function startApp(client: Inngest.Any, functions: () => Fn[], port = 0): Promise<App> {
  const requests: string[] = []
  const more = REAL_SERVER ? [listenerOf(client)] : []
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://app')
    requests.push(
      `${request.method} ${url.searchParams.get('fnId') ?? ''} ${url.searchParams.get('stepId') ?? ''}`,
    )
    serve({ client, functions: [...functions(), ...more], servePath: '/api/inngest' })(request, response)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: bound } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${bound}/api/inngest`, port: bound, requests, close }
}

/** Points the SDK of this process at the engine's port, in signed mode; it takes effect with the next sync. */
export function pointSdkAt(port: number) {
  Object.assign(process.env, {
    INNGEST_DEV: '0',
    INNGEST_BASE_URL: `http://127.0.0.1:${port}`,
    INNGEST_SIGNING_KEY: SIGNING_KEY,
    INNGEST_EVENT_KEY: EVENT_KEY,
  })
}

const isSynced = async (port: number) => {
  const health = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined)
  return health?.ok
}

/** An engine inside this process, quick to poll and to retry, that has synced. */
export async function startTestEngine(
  serveUrl: string,
  options: Partial<EngineOptions> = {},
): Promise<RunningEngine> {
  const port = options.port ?? (await freePort())
  pointSdkAt(port)
  const engine = await startEngine({
    databaseUrl: databaseUrl(),
    serveUrl,
    port,
    signingKey: SIGNING_KEY,
    eventKey: EVENT_KEY,
    retryDelaysMs: RETRY_DELAYS_MS,
    pollIntervalMs: 100,
    syncIntervalMs: 1_000,
    log: collectLog().log,
    ...options,
  })
  await until(() => isSynced(port), 'the engine to sync')
  return engine
}

/** The engine as its own process, as the product runs it. Waits until it has synced. */
export async function spawnEngine(serveUrl: string, port: number): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('../../lib/engine/main.ts', import.meta.url))],
    {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'test',
        DATABASE_URL: databaseUrl(),
        INNGEST_SERVE_URL: serveUrl,
        ENGINE_PORT: String(port),
        INNGEST_SIGNING_KEY: process.env.INNGEST_SIGNING_KEY ?? SIGNING_KEY,
        INNGEST_EVENT_KEY: EVENT_KEY,
        ENGINE_RETRY_DELAYS_MS: RETRY_DELAYS_MS.join(','),
        LOG_LEVEL: 'silent',
      },
    },
  )
  await until(() => {
    if (child.exitCode !== null) throw new Error(`the engine process ended with status ${child.exitCode}`)
    return isSynced(port)
  }, 'the engine process to sync')
  return child
}

/** Polls until `check` returns something truthy, and returns it. */
export async function until<T>(
  check: () => T | Promise<T>,
  what: string,
  limitMs = 90_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + limitMs
  for (;;) {
    const value = await check()
    if (value) return value
    if (Date.now() > deadline) throw new Error(`waited ${limitMs} ms for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

export type RunView = {
  run_id: string
  function_id: string
  status: string
  output: unknown
  event_id: string
}

async function get(path: string): Promise<unknown> {
  const { INNGEST_BASE_URL, INNGEST_SIGNING_KEY, INNGEST_SIGNING_KEY_FALLBACK } = process.env
  const ask = (key?: string) =>
    fetch(`${INNGEST_BASE_URL}${path}`, { headers: { authorization: `Bearer ${key}` } })
  const first = await ask(INNGEST_SIGNING_KEY)
  const response = first.status === 401 ? await ask(INNGEST_SIGNING_KEY_FALLBACK) : first
  return ((await response.json()) as { data: unknown }).data
}

export const runsOf = async (eventId: string) => (await get(`/v1/events/${eventId}/runs`)) as RunView[]

type Finished = {
  run_id: string
  function_id: string
  event: { id: string }
  result?: unknown
  error?: unknown
  _inngest: { status: string }
}
const finished: Finished[] = []

/** A real server notifies listeners of every end; the embedded engine notifies them of failures only. */
const listenerOf = (client: Inngest.Any) =>
  client.createFunction(
    { id: 'listener', triggers: [{ event: 'inngest/function.finished' }], retries: 0 },
    async ({ event }) => void finished.push(event.data as Finished),
  )

/** The ends that a real server reported: its API answers from a cache, and without the output of runs that ended in a checkpoint. */
async function toldEnds(event_id: string, count: number, limitMs: number): Promise<RunView[]> {
  const told = () => finished.filter(({ event }) => event.id === event_id)
  await until(() => told().length >= count, `${count} runs of ${event_id} to be told as ended`, limitMs)
  return told().map(({ run_id, function_id, _inngest: { status }, result, error }) => ({
    run_id,
    function_id,
    event_id,
    status,
    output: error ?? result,
  }))
}

/** The runs that an event started, once all of them have ended. */
export async function endOf(eventId: string, count = 1, limitMs = 90_000): Promise<RunView[]> {
  if (REAL_SERVER) return toldEnds(eventId, count, limitMs)
  let seen: RunView[] = []
  const over = async () => {
    seen = await runsOf(eventId)
    return seen.length >= count && seen.every(({ status }) => !['Queued', 'Running'].includes(status))
  }
  await until(over, `${count} runs of ${eventId} to end`, limitMs).catch((error: Error) => {
    throw new Error(`${error.message}; saw ${JSON.stringify(seen)}`)
  })
  return seen
}

export async function sql<T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> {
  const client = new pg.Client({ connectionString: databaseUrl() })
  await client.connect()
  try {
    return (await client.query<T>(text, values)).rows
  } finally {
    await client.end()
  }
}

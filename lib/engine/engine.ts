import { Pool } from 'pg'
import { eventWriter } from '#lib/engine/events'
import { createEngineServer } from '#lib/engine/http'
import { installSchema, lockEngineNumber, startJanitor } from '#lib/engine/liveness'
import type { Engine, Log } from '#lib/engine/state'
import { createSyncer } from '#lib/engine/sync'
import { createWorker, migrateWorker } from '#lib/engine/worker'

export type EngineOptions = {
  /** Must be a session connection: LISTEN and session locks do not survive a transaction-mode pooler. */
  databaseUrl: string
  /** Where the app serves its functions, e.g. http://127.0.0.1:3000/api/inngest. */
  serveUrl: string
  port: number
  host?: string
  /**
   * signkey-<env>-<even number of hex digits>. Without it, nothing is signed and no caller is authenticated.
   */
  signingKey?: string
  eventKey?: string
  /** How often to look for due jobs that no notification announced. */
  pollIntervalMs?: number
  syncIntervalMs?: number
  /** Delays before attempt 2, 3, ...; the last one repeats. */
  retryDelaysMs?: readonly number[]
  /** Calls and steps in progress at once. A call holds no database connection while the app works. */
  concurrency?: number
  /** Accepts events but executes nothing; other engines on this database do. */
  doorOnly?: boolean
  /** How long stop() waits for calls in progress; supervisors often kill after ten seconds. */
  graceMs?: number
  log: Log
}

const MINUTE = 60_000
const RETRY_DELAYS_MS = [0.25, 0.5, 1, 2, 5, 10, 20, 40, 60, 120].map((minutes) => minutes * MINUTE)

export type RunningEngine = {
  port: number
  /**
   * Waits for calls in progress, then closes everything. Calls that outlast the grace period are made again.
   */
  stop: () => Promise<void>
  /**
   * Resolves with the reason when the engine can no longer work because its database session is lost; end the
   * process then.
   */
  failed: Promise<string>
}

/** Starts an engine. It serves HTTP at once and begins to run functions after the first successful sync. */
export async function startEngine(options: EngineOptions): Promise<RunningEngine> {
  const { databaseUrl, log } = options
  const pool = new Pool({
    connectionString: databaseUrl,
    max: 10,
    application_name: 'engine',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })
  const warn = (error: Error) => log.warn({ err: error }, 'a database connection broke')
  pool.on('error', warn)
  pool.on('connect', (client) => client.on('error', warn))
  let fail: (reason: string) => void = () => {}
  const failed = new Promise<string>((resolve) => {
    fail = resolve
  })
  await installSchema(pool)
  const life = await lockEngineNumber(databaseUrl, log, fail)
  const abort = new AbortController()
  const engine: Engine = {
    no: life.no,
    pool,
    log,
    serveUrl: options.serveUrl,
    signingKey: options.signingKey,
    retryDelaysMs: options.retryDelaysMs ?? RETRY_DELAYS_MS,
    functions: new Map(),
    active: new Set(),
    unreachableSince: undefined,
    stopping: false,
    abort: abort.signal,
  }
  // The worker's own tables must exist before the first event is stored.
  await migrateWorker(engine, life)
  const pace = { concurrency: options.concurrency ?? 20, pollInterval: options.pollIntervalMs ?? 5_000 }
  const worker = createWorker(engine, life, pace, fail)
  const syncer = createSyncer(engine, options.syncIntervalMs ?? 30_000, worker.start)
  const server = createEngineServer({ engine, eventKey: options.eventKey, send: eventWriter(pool), syncer })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host ?? '127.0.0.1', resolve)
  })
  if (options.doorOnly) Object.assign(syncer.state, { ok: true, error: undefined })
  else syncer.begin()
  const stopJanitor = options.doorOnly ? async () => undefined : startJanitor(engine, life)

  const stop = async () => {
    engine.stopping = true
    const grace = setTimeout(() => abort.abort(), options.graceMs ?? 6_000)
    await syncer.end()
    // Steps in progress still checkpoint over HTTP, so the server closes after the worker.
    await worker.stop()
    clearTimeout(grace)
    await stopJanitor()
    const hangUp = setTimeout(() => server.closeAllConnections(), 1_000)
    await new Promise((resolve) => server.close(resolve))
    clearTimeout(hangUp)
    await life.end()
    await pool.end()
  }
  const address = server.address()
  return { port: typeof address === 'object' && address ? address.port : options.port, stop, failed }
}

import pino from 'pino'
import { type EngineOptions, startEngine } from '#lib/engine/engine'
import { logOutput } from '#lib/log-output'

/**
 * The engine as its own process: `node lib/engine/main.ts`. Exits with status 0 when asked to stop, and with
 * status 1 when it can no longer work; the supervisor then starts it again, and no work is lost.
 */
const log = pino({ name: 'engine', level: process.env.LOG_LEVEL ?? 'info' }, logOutput())

function need(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set`)
  return value
}

function optionsFromEnv(): EngineOptions {
  const isDev = process.env.INNGEST_DEV !== undefined && !['', '0', 'false'].includes(process.env.INNGEST_DEV)
  const port = Number(process.env.ENGINE_PORT ?? new URL(need('INNGEST_BASE_URL')).port)
  if (!Number.isInteger(port) || port <= 0)
    throw new Error('ENGINE_PORT or the port of INNGEST_BASE_URL has to name a port')
  const delays = process.env.ENGINE_RETRY_DELAYS_MS?.split(',').map(Number)
  if (delays?.some((delay) => !(delay >= 0)))
    throw new Error('ENGINE_RETRY_DELAYS_MS is a list of milliseconds')
  return {
    databaseUrl: need('DATABASE_URL'),
    serveUrl: need('INNGEST_SERVE_URL'),
    doorOnly: process.env.ROLE === 'web',
    port,
    host: process.env.ENGINE_HOST ?? '127.0.0.1',
    // Unsigned only if development mode is set explicitly: a signed app would refuse an unsigned engine, and
    // an unsigned app is open to anybody.
    signingKey: isDev ? process.env.INNGEST_SIGNING_KEY : need('INNGEST_SIGNING_KEY'),
    eventKey: isDev ? process.env.INNGEST_EVENT_KEY : need('INNGEST_EVENT_KEY'),
    retryDelaysMs: delays,
    log,
  }
}

// A build loads this file once to fill Node's compile cache.
if (process.env.ONLY_LOAD) process.exit()
const engine = await startEngine(optionsFromEnv())
log.info({ port: engine.port }, 'engine started')

let stopping = false
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    // A second signal ends the process without waiting for calls in progress.
    if (stopping) process.exit(1)
    stopping = true
    log.info({ signal }, 'engine stopping')
    engine.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'engine did not stop cleanly')
        process.exit(1)
      },
    )
  })
}
engine.failed.then((reason) => {
  if (stopping) return
  log.fatal({ reason }, 'engine cannot work any more')
  process.exit(1)
})

import { get } from 'node:http'
import { connect } from 'node:net'
import path from 'node:path'
import type { Service } from '#scripts/up/child'
import type { Role } from '#scripts/up/role'
import type { Ports, Settings } from '#scripts/up/settings'
import { LASTING } from '../lasting.mjs'

/** Web first, so that no new work comes in; mail last, so that mail in progress still arrives. */
export const STOP_ORDER = ['web', 'worker', 'engine', 'bounces', 'sandbox mail']

/**
 * By default V8 lets the heap grow to four times its live size before a full collection, and keeps that memory: at 300 emails a
 * second the web process grew from 600 to 900 MB in twenty minutes, with 170 of them in use.
 */
const CLEARED_AT_TWICE = '--heap-growing-percent=100'

/**
 * Node arguments of the web process. V8 tracks where long-lived objects are allocated and allocates them there as old from the
 * start. Objects of request validation look like that to it, and each such object keeps young ones alive after its request: the
 * heap grew by 13 KB a request, and every young collection paused all requests for 6 to 8 ms instead of 2. A small young
 * generation keeps the pauses short.
 */
export const WEB_ARGS = [
  '--no-allocation-site-pretenuring',
  '--max-semi-space-size=16',
  CLEARED_AT_TWICE,
  'app/main.ts',
]

/** For the other processes, which serve no requests: short-lived objects would take 100 MB before V8 collects them. */
const SMALL_YOUNG = '--max-semi-space-size=4'

/** V8 flags of a worker process: sending is as fast with them, in half the memory. */
export const WORKER_FLAGS = [SMALL_YOUNG, CLEARED_AT_TWICE]

export const ENGINE_ARGS = [SMALL_YOUNG, 'lib/engine/main.ts']

/** The services beside the database, in the order in which they start: the engine looks for the functions at once. */
export function services(settings: Settings, ports: Ports, env: Record<string, string>): Service[] {
  const whole = { ...LASTING, ...process.env, ...env }
  const service = (name: string, args: string[], isReady: () => Promise<boolean>): Service => ({
    name,
    args,
    env: whole,
    log: settings.verbose ? null : path.join(settings.dataFolder, 'logs', `${name.split(' ').at(-1)}.log`),
    isReady,
  })
  const isServing = () => serves(`${localUrl(settings)}/api/v1/health`)
  const bouncePort = Number(process.env.BOUNCE_SMTP_PORT || 0)
  const all = {
    mail: {
      ...service('sandbox mail', [SMALL_YOUNG, 'lib/providers/mail/sandbox-server.ts'], () =>
        answers(ports.smtp),
      ),
      onDemand: ports.smtp,
    },
    bounces: service('bounces', [SMALL_YOUNG, 'lib/services/inbox/bounce-server.ts'], () =>
      answers(bouncePort),
    ),
    web: service('web', WEB_ARGS, isServing),
    worker: service('worker', [...WORKER_FLAGS, 'inngest/main.ts'], isServing),
    engine: service('engine', ENGINE_ARGS, () => answers(ports.engine)),
  }
  // An Inngest server of the user's own replaces the engine.
  const engine = process.env.INNGEST_BASE_URL ? [] : [all.engine]
  const bounces = bouncePort ? [all.bounces] : []
  const ofRole: Record<Role, Service[]> = {
    all: [all.mail, ...bounces, all.web, ...engine],
    // The engine of a web machine only accepts events: they are stored in the database, where the other engines find them, before
    // a request is answered.
    web: [...bounces, all.web, ...engine],
    engine: [all.worker, ...engine],
  }
  return ofRole[settings.role]
}

/** The address at which this machine reaches the web server. */
export function localUrl({ host, port }: Settings): string {
  const everywhere = ['0.0.0.0', '::', 'localhost'].includes(host)
  return `http://${everywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The environment of every process of the instance, in addition to the inherited one. */
export function environment(settings: Settings, ports: Ports, databaseUrl: string): Record<string, string> {
  const url = localUrl(settings)
  const engine = process.env.INNGEST_BASE_URL || `http://127.0.0.1:${ports.engine}`
  return {
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    DATA_DIR: settings.dataFolder,
    HOST: settings.host,
    DATABASE_URL: databaseUrl,
    PORT: `${settings.port}`,
    APP_URL: process.env.APP_URL || url,
    NEXTAUTH_URL: process.env.NEXTAUTH_URL || process.env.APP_URL || url,
    INNGEST_BASE_URL: engine,
    INNGEST_DEV: process.env.INNGEST_DEV || '0',
    // Runs of the embedded engine cost nothing each, so no work waits to share a wake-up.
    WAKE_PAUSE_SECONDS: process.env.WAKE_PAUSE_SECONDS || (process.env.INNGEST_BASE_URL ? '45' : '1'),
    INNGEST_SERVE_URL: `${url}/api/inngest`,
    ENGINE_PORT: `${ports.engine}`,
    // The sandbox runs only if one machine runs the whole instance.
    ...(settings.role === 'all' && { SANDBOX_SMTP_PORT: `${ports.smtp}` }),
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.setTimeout(2000, () => resolve(false))
    for (const event of ['connect', 'error', 'timeout']) socket.once(event, () => socket.destroy())
  })
}

/** Uses `node:http`, since `fetch` would load 4 MB that the supervisor then holds for its lifetime. */
function serves(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(url, { timeout: 10_000 }, (response) => {
      response.resume()
      resolve(true)
    })
    request.once('timeout', () => request.destroy())
    request.once('error', () => resolve(false))
  })
}

import { get } from 'node:http'
import { connect } from 'node:net'
import path from 'node:path'
import type { Service } from '#scripts/up/child'
import type { Role } from '#scripts/up/role'
import type { Ports, Settings } from '#scripts/up/settings'
import { LASTING } from '../lasting.mjs'

/** Web first, so that nothing new comes in; mail last, so that what is being sent still arrives. */
export const STOP_ORDER = ['web', 'worker', 'engine', 'bounces', 'sandbox mail']

/**
 * By itself V8 lets what is dead grow to four times what lives before it looks through it all, and keeps that room: at 300
 * emails a second the web process grew from 600 to 900 MB in twenty minutes, with 170 of them in use.
 */
const CLEARED_AT_TWICE = '--heap-growing-percent=100'

/**
 * Arguments for Node of the web process. V8 watches where objects live long and makes those of such places old from the
 * start. What a request checks and answers looks like that to it, and each such object then keeps young ones alive after
 * its request: the heap grew by 13 KB a request, and every clearing of young objects stopped all requests for 6 to 8 ms
 * in place of 2. A small place for the young makes the stops short.
 */
export const WEB_ARGS = [
  '--no-allocation-site-pretenuring',
  '--max-semi-space-size=16',
  CLEARED_AT_TWICE,
  'app/main.ts',
]

/** Of the others, which answer nobody: what lives briefly would take 100 MB before V8 looks through it. */
const SMALL_YOUNG = '--max-semi-space-size=4'

/** Flags of V8 for a process that only works: sending alone it is as quick with them, in half the memory. */
export const WORKER_FLAGS = [SMALL_YOUNG, CLEARED_AT_TWICE]

export const ENGINE_ARGS = [SMALL_YOUNG, 'lib/engine/main.ts']

/** What runs beside the database, in the order they start: the engine looks for the functions at once. */
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
  // An Inngest server of the user's takes the engine's place.
  const engine = process.env.INNGEST_BASE_URL ? [] : [all.engine]
  const bounces = bouncePort ? [all.bounces] : []
  const ofRole: Record<Role, Service[]> = {
    all: [all.mail, ...bounces, all.web, ...engine],
    // Its engine only takes events: they are in the database, where the others find them, before a request is answered.
    web: [...bounces, all.web, ...engine],
    engine: [all.worker, ...engine],
  }
  return ofRole[settings.role]
}

/** Where this machine reaches the web server. */
export function localUrl({ host, port }: Settings): string {
  const everywhere = ['0.0.0.0', '::', 'localhost'].includes(host)
  return `http://${everywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The environment of every process of the instance, on top of the inherited one. */
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
    // What the embedded engine runs costs nothing each time, so nothing waits to share a wake-up.
    WAKE_PAUSE_SECONDS: process.env.WAKE_PAUSE_SECONDS || (process.env.INNGEST_BASE_URL ? '45' : '1'),
    INNGEST_SERVE_URL: `${url}/api/inngest`,
    ENGINE_PORT: `${ports.engine}`,
    // The sandbox stands on one machine, with all of an instance.
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

/** Uses `node:http`, since `fetch` would load 4 MB that the supervisor then holds as long as it runs. */
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

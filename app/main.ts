// The web process: `node app/main.ts` serves the production build on HOST and PORT.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server'
import compression from 'compression'
import next from 'next'
import { keepSideProcess } from '#inngest/beside/keeper'
import { createMeter } from '#inngest/beside/meter'
import { startSideProcess } from '#inngest/beside/process'
import { answerEngine } from '#inngest/door'
import { type Found, findInApi } from '#lib/http/api/paths'
import { log } from '#lib/http/log'
import { senderNamer } from '#lib/http/peer'
import { isHiddenOnReportHost } from '#lib/http/report-host'
import type { Handlers } from '#lib/http/route'
import { createTurns } from '#lib/http/turns'
import { allowIdling, stopIdling } from '#lib/services/inbox/idling/process'
import { askForSweep } from '#lib/services/instance/first-sweep'
import { openKeys } from '#lib/services/instance/open-keys'
import { endTracing, startTracing } from '#lib/tracing'
import { everywhere, forPrograms, forVisits, overHttps } from '../lib/http/api/headers.mjs'
import { findVisit } from './(public)/t/door.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const hostname = process.env.HOST ?? '127.0.0.1'
const port = Number(process.env.PORT ?? 3000)

// A build loads this file once to fill Node's compile cache.
if (process.env.ONLY_LOAD) process.exit()
await openKeys()
await startTracing()
const server = createServer()
const app = next({ dev: false, dir: ROOT, hostname, port, httpServer: server })
await app.prepare()
const pages = app.getRequestHandler()

/** Events of a stream must be sent at once, not when a compression buffer is full. */
const compress = compression({
  filter: (request, response) =>
    !`${response.getHeader('content-type')}`.startsWith('text/event-stream') &&
    compression.filter(request, response),
})

const nameSender = senderNamer(process.env.TRUSTED_PROXIES)

/** The operation of each API request, found by the path as sent, before a `Request` normalizes its dots. */
const meant = new WeakMap<IncomingMessage, Found>()

const api = getRequestListener(
  async (request, connection) => {
    const match = meant.get((connection as HttpBindings).incoming)
    const method = request.method === 'HEAD' ? 'GET' : request.method
    if (!match || !isMethod(method, match.handlers)) throw new Error(`${method} is not an API method.`)
    return match.handlers[method](request, { params: Promise.resolve(match.params) })
  },
  { hostname, overrideGlobalObjects: false, errorHandler: broken },
)

const isMethod = (method: string, handlers: Handlers): method is keyof Handlers => method in handlers

/**
 * An error a route could not handle has not been logged either. A request without a usable host never reaches
 * a route.
 */
function broken(error: unknown): Response {
  if (error instanceof RequestError) return Response.json({ detail: 'Bad Request' }, { status: 400 })
  log().error({ err: error }, 'request failed')
  return Response.json({ detail: 'Internal Server Error' }, { status: 500 })
}

const pageTurn = createTurns()

/** On a single core, a second process would only take CPU time from this one. */
const engineCalls =
  os.availableParallelism() > 1
    ? keepSideProcess({
        start: startSideProcess,
        busy: createMeter(),
        answerHere: answerEngine,
        now: () => performance.now(),
      })
    : { answer: answerEngine, stop: () => undefined }

/** The framework treats a path with and without a trailing slash alike. */
function withoutSlashes(pathname: string): string {
  let end = pathname.length
  while (pathname[end - 1] === '/') end -= 1
  return pathname.slice(0, end)
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url = '', method, headers } = request
  const [pathname = ''] = url.split('?', 1)
  if (await isHiddenOnReportHost({ host: headers.host, method, pathname })) {
    response.writeHead(404).end('Not found')
    return
  }
  // Bypasses the framework too, which would load its own copy of all background code.
  if (withoutSlashes(pathname) === '/api/inngest') {
    for (const { key, value } of everywhere) response.setHeader(key, value)
    return engineCalls.answer(request, response)
  }
  const visit = findVisit(pathname, method)
  const match = visit ?? findInApi(pathname)
  // The framework compresses by itself.
  if (!match) {
    await pageTurn()
    return pages(request, response)
  }
  meant.set(request, match)
  for (const { key, value } of [...everywhere, ...(visit ? forVisits : forPrograms)])
    response.setHeader(key, value)
  // Typed for Express, but it only needs Node's types.
  compress(request as never, response as never, () => undefined)
  await api(request, response)
}

const isHttps = process.env.APP_URL?.startsWith('https:') === true

server.on('request', (request, response) => {
  nameSender(request)
  if (isHttps) response.setHeader(overHttps.key, overHttps.value)
  serve(request, response).catch((error: unknown) => {
    broken(error)
    response.destroy()
  })
})
server.listen(port, hostname, () => {
  log().info({ hostname, port }, 'web listens')
  allowIdling()
  askForSweep()
})

let isStopping = false
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    if (isStopping) return
    isStopping = true
    engineCalls.stop()
    const quiet = stopIdling()
    // Waits for requests in progress, within the limit of lib/http/shutdown.ts.
    server.close(() => void Promise.all([app.close(), endTracing(), quiet]).finally(() => process.exit(0)))
  })

import { createServer, type IncomingMessage, type Server } from 'node:http'
import { z } from 'zod'
import { storeStep, toDataMemo } from '#lib/engine/ops'
import { type EventBody, hashedSigningKey, Op, sameSecret, seededId } from '#lib/engine/protocol'
import { cancelRun, lockOpenRun, saveRun } from '#lib/engine/runs'
import { type Engine, row, rows, withTx } from '#lib/engine/state'
import type { Syncer } from '#lib/engine/sync'

type Routes = {
  engine: Engine
  eventKey: string | undefined
  send: (events: EventBody[]) => Promise<void>
  syncer: Syncer
}

type Reply = { status: number; body: unknown }

const BODY_LIMIT = 64 * 1024 * 1024
const refuse = (status: number, error: string): Reply => ({ status, body: { error, status } })

class TooLarge extends Error {}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  const pieces: AsyncIterable<Buffer> = request
  for await (const chunk of pieces) {
    size += chunk.length
    if (size > BODY_LIMIT) throw new TooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The SDK sends the hashed signing key; the documented REST calls send the key itself. */
function isAuthorized({ engine }: Routes, request: IncomingMessage): boolean {
  if (!engine.signingKey) return true
  const token = (request.headers.authorization ?? '').replace(/^Bearer /i, '')
  return sameSecret(token, hashedSigningKey(engine.signingKey)) || sameSecret(token, engine.signingKey)
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && !value.includes('\0')

function parseEvents(body: string, seed: string | undefined): EventBody[] | string {
  let given: unknown
  try {
    given = JSON.parse(body)
  } catch {
    return 'the body is not JSON'
  }
  const events: EventBody[] = []
  for (const [index, event] of (Array.isArray(given) ? given : [given]).entries()) {
    if (typeof event !== 'object' || event === null || !isName(event.name))
      return `event ${index} has no name`
    if (event.id !== undefined && event.id !== null && event.id !== '' && !isName(event.id))
      return `event ${index} has a bad id`
    const ts = typeof event.ts === 'number' && event.ts > 0 ? event.ts : Date.now()
    events.push({ ...event, id: event.id || seededId(seed, index), data: event.data ?? {}, ts })
  }
  return events
}

async function postEvents(routes: Routes, request: IncomingMessage, key: string): Promise<Reply> {
  if (routes.eventKey && !sameSecret(key, routes.eventKey)) return refuse(401, 'Event key not found')
  const seed = request.headers['x-inngest-event-id-seed']
  const events = parseEvents(await readBody(request), Array.isArray(seed) ? seed[0] : seed)
  if (typeof events === 'string') return refuse(400, events)
  await routes.send(events)
  return { status: 200, body: { ids: events.map(({ id }) => id), status: 200 } }
}

const Checkpoint = z.object({ qi_id: z.string().optional(), steps: z.array(Op) })

/**
 * Stores steps that ran inside a discovery call in progress. 409 tells the SDK that the call has been given
 * to another worker.
 */
async function checkpoint({ engine }: Routes, request: IncomingMessage, runId: string): Promise<Reply> {
  const { success, data } = Checkpoint.safeParse(JSON.parse(await readBody(request)))
  if (!success || data.steps.some((op) => op.op !== 'StepRun'))
    return refuse(400, 'only finished steps can be checkpointed')
  const { qi_id, steps } = data
  return withTx(engine.pool, async (tx) => {
    const run = await lockOpenRun(tx, runId)
    if (run?.disc !== 'running' || String(run.disp) !== qi_id) return refuse(409, 'stale dispatch')
    for (const op of steps) await storeStep(tx, run, op, toDataMemo(op))
    await saveRun(tx, run)
    return { status: 200, body: { status: 200 } }
  })
}

const RUN = `select id as run_id, fn_id as function_id, event_ids[1] as event_id, created_at as run_started_at, ended_at,
  initcap(status) as status, coalesce(output, error) as output from engine.runs`

async function read({ engine }: Routes, kind: 'runs' | 'events', id: string): Promise<Reply> {
  if (kind === 'events')
    return {
      status: 200,
      body: { data: await rows(engine.pool, `${RUN} where event_ids @> array[$1] order by id`, [id]) },
    }
  const run = await row(engine.pool, `${RUN} where id = $1`, [id])
  return run ? { status: 200, body: { data: run } } : refuse(404, 'run not found')
}

async function cancel({ engine }: Routes, runId: string): Promise<Reply> {
  const cancelled = await withTx(engine.pool, (tx) => cancelRun(engine, tx, runId, 'cancelled over the API'))
  return cancelled ? { status: 204, body: undefined } : refuse(404, 'no open run with this id')
}

async function handle(routes: Routes, request: IncomingMessage): Promise<Reply> {
  const parts = new URL(request.url ?? '/', 'http://engine').pathname
    .split('/')
    .filter(Boolean)
    .map(decodeURIComponent)
  const [first, second, third = '', fourth] = parts
  const at = `${request.method} /${first}`
  if (at === 'GET /health') {
    const { ok, error } = routes.syncer.state
    return { status: ok ? 200 : 503, body: { ok, error, functions: routes.engine.functions.size } }
  }
  if (at === 'POST /e' && second !== undefined && parts.length === 2)
    return postEvents(routes, request, second)
  if (!isAuthorized(routes, request)) return refuse(401, 'Unauthorized')
  if (at === 'POST /fn' && second === 'register') {
    const modified = await routes.syncer.now()
    const { ok, error } = routes.syncer.state
    return { status: ok ? 200 : 400, body: { ok, modified, status: ok ? 200 : 400, error } }
  }
  if (at === 'POST /v1' && second === 'checkpoint' && fourth === 'async')
    return checkpoint(routes, request, third)
  if (at === 'GET /v1' && second === 'events' && fourth === 'runs') return read(routes, 'events', third)
  if (at === 'GET /v1' && second === 'runs' && parts.length === 3) return read(routes, 'runs', third)
  if (at === 'DELETE /v1' && second === 'runs' && parts.length === 3) return cancel(routes, third)
  return refuse(404, `the embedded engine has no ${request.method} ${request.url}`)
}

/** The event key is part of the URL path; it must not be logged. */
const withoutKey = (url = '') => url.replace(/^\/+e\/[^/?]*/, '/e/[secret]')

/** The server that the SDK and the app's own lookups talk to. */
export function createEngineServer(routes: Routes): Server {
  return createServer((request, response) => {
    handle(routes, request)
      .catch((error: unknown) => {
        if (error instanceof TooLarge) return refuse(413, 'the body is too large')
        if (error instanceof SyntaxError || error instanceof URIError) return refuse(400, error.message)
        routes.engine.log.error({ err: error, url: withoutKey(request.url) }, 'request failed')
        return refuse(500, 'internal error')
      })
      .then(({ status, body }) => {
        if (!request.complete) response.setHeader('connection', 'close')
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(body === undefined ? undefined : JSON.stringify(body))
      })
  })
}

import { randomUUID } from 'node:crypto'
import type { Contract } from '#lib/contracts/contract'
import { FILE_TYPES, type FileAnswer } from '#lib/contracts/fields'
import { AppError } from '#lib/errors'
import { type Asking, act } from '#lib/http/act'
import { admit, authenticate, type Caller } from '#lib/http/auth'
import { errorResponse, frameworkResponse, type Shape } from '#lib/http/envelope'
import { log } from '#lib/http/log'
import { readRequest } from '#lib/http/parse'
import { rateHeaders, toRateLimit } from '#lib/http/rate-limit'
import { countRequest } from '#lib/metrics'
import type { AnyOperation } from '#lib/operations/operation'
import { traced } from '#lib/tracing'

type RouteContext = { params: Promise<Record<string, string>> }
type Stream = Streaming<unknown>
export type Answering = AnyOperation & { stream?: Stream }
type Handler<C> = (request: Request, context: C) => Promise<Response>

/** An operation's result as an HTTP response. */
function toResponse({ status, file }: Contract, answer: unknown): Response {
  if (answer === undefined) return new Response(null, { status })
  return file ? fileResponse(answer as FileAnswer) : Response.json(answer, { status })
}

/** A file as a download, streamed while it is produced. */
export function fileResponse({ filename, format, parts }: FileAnswer): Response {
  const headers = {
    'content-type': format === 'csv' ? `${FILE_TYPES.csv}; charset=utf-8` : FILE_TYPES[format],
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`,
    // A browser that is made to open it must not guess a type, run scripts or load anything.
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  }
  const iterator = parts[Symbol.asyncIterator]()
  const body = new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    // A client that disconnects stops the reading too.
    cancel: async () => void (await iterator.return?.()),
  })
  return new Response(body, { headers })
}

export type Streaming<T> = (
  turn: T,
  context: { user: Caller; now: Date; signal: AbortSignal; body: unknown },
) => Promise<Response>

/** An operation whose response is streamed after the operation itself is done. */
export const streamed = <O extends AnyOperation>(
  operation: O,
  stream: Streaming<Awaited<ReturnType<O['act']>>>,
): Answering => ({ ...operation, stream: stream as Stream })

/** Authenticates the caller and counts the request. */
const entering =
  (request: Request, now: Date, headers: Headers): Asking['enter'] =>
  async (contract) => {
    if (contract.scope === null) return undefined
    const limit = toRateLimit(contract)
    const { caller, left } = await admit(request, limit, now)
    for (const [name, value] of Object.entries(rateHeaders(limit, left))) headers.set(name, value)
    return caller
  }

/** Handles one request by `act`. */
async function perform(
  { stream, ...operation }: Answering,
  request: Request,
  context: RouteContext,
  headers: Headers,
) {
  const now = new Date()
  const asking: Asking = {
    enter: entering(request, now, headers),
    read: async (contract) => readRequest(request, contract, await context.params),
    now,
    signal: request.signal,
  }
  if (!stream) return toResponse(operation.contract, await act(operation, asking))
  return act(operation, asking, async (turn, { user, body }, giveBack) => {
    try {
      return whenRead(await stream(turn, { user, body, now, signal: request.signal }), giveBack)
    } catch (error) {
      await giveBack()
      throw error
    }
  })
}

/** The same response; calls `then` once it was read to its end or cancelled. */
function whenRead(response: Response, then: () => Promise<void>): Response {
  const parts = response.body?.getReader()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const part = await parts?.read()
        if (part?.value) return controller.enqueue(part.value)
        await then()
        controller.close()
      } catch (error) {
        await then()
        throw error
      }
    },
    async cancel(reason) {
      try {
        await parts?.cancel(reason)
      } finally {
        await then()
      }
    },
  })
  return new Response(body, response)
}

/** Answers a method that the path does not have. 401 comes first, so that strangers learn nothing. */
async function refuseMethod(operations: Answering[], request: Request): Promise<Response> {
  if (operations.every((operation) => operation.contract.scope !== null))
    await authenticate(request, new Date())
  return frameworkResponse(405, listMethods(operations))
}

type Respond<C> = (request: Request, context: C, headers: Headers) => Promise<Response>

/**
 * What every response gets: a request id, one log line, a count in the metrics, and an error body if `respond` throws. `findShape`
 * gives the error shape of a method and the operation it is counted under.
 */
export function door<C>(
  respond: Respond<C>,
  findShape: (method: string) => Shape & { id?: string },
): Handler<C> {
  return async (request, context) => {
    const started = performance.now()
    const requestId = request.headers.get('x-request-id')?.match(/^[\w-]{8,64}$/)?.[0] ?? randomUUID()
    // An upload's path is a credential, so it is not logged.
    const path = new URL(request.url).pathname.replace(/(?<=^\/(?:mcp|files)\/uploads\/).+/, '[secret]')
    const method = requestMethod(request)
    const headers = new Headers({ 'X-Request-Id': requestId })
    let response: Response
    try {
      const { id = 'unknown' } = findShape(method)
      const span = { kind: 'SERVER', parent: request.headers.get('traceparent') } as const
      response = await traced(`${method} ${id}`, span, () => respond(request, context, headers))
    } catch (error) {
      response = errorResponse(error, findShape(method), path)
      if (error instanceof AppError)
        for (const [name, value] of Object.entries(error.headers)) headers.set(name, value)
      if (response.status >= 500)
        log().error({ request_id: requestId, method, path, err: error }, 'request failed')
    }
    for (const [name, value] of headers) response.headers.set(name, value)
    if (!response.headers.has('cache-control')) response.headers.set('Cache-Control', 'no-store')
    const duration_ms = Math.round(performance.now() - started)
    const operation = findShape(method).id ?? 'unknown'
    countRequest({ operation, method, status: response.status }, (performance.now() - started) / 1000)
    log().info({ request_id: requestId, method, path, status: response.status, duration_ms }, 'request')
    return response
  }
}

const requestMethod = (request: Request) => (request.method === 'HEAD' ? 'GET' : request.method)

/** The handlers of one path, by method. */
export type Handlers<C = RouteContext> = Record<
  'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS',
  Handler<C>
>

const forEveryMethod = <C>(handle: Handler<C>): Handlers<C> => ({
  GET: handle,
  POST: handle,
  PUT: handle,
  PATCH: handle,
  DELETE: handle,
  OPTIONS: handle,
})

/** OPTIONS: the methods of a path. No secret, since the API document lists them too. */
const allowed = (methods: string[]) =>
  new Response(null, { status: 204, headers: { Allow: methods.join(', ') } })

const listMethods = (operations: Answering[]) => operations.map(({ contract }) => contract.method)

/** All methods of one path. `export const { GET, POST, … } = routes(listThings, createThing)` */
export function routes(...given: Answering[]) {
  // A method that the path does not have is refused in the error shape of the first operation.
  const operations = given.toSorted((one, other) => (one.contract.id < other.contract.id ? -1 : 1))
  const answering = (method: string) => operations.find(({ contract }) => contract.method === method)
  const respond: Respond<RouteContext> = async (request, context, headers) => {
    if (request.method === 'OPTIONS') return allowed(listMethods(operations))
    const operation = answering(requestMethod(request))
    return operation ? perform(operation, request, context, headers) : refuseMethod(operations, request)
  }
  const findShape = (method: string) =>
    answering(method)?.contract ?? { errors: operations[0]?.contract.errors ?? ('legacy' as const) }
  return forEveryMethod(door(respond, findShape))
}

/** A readable path that is not an operation; `id` is the name it is counted under. */
export const readOnly = (id: string, read: (request: Request) => Response) =>
  forEveryMethod(
    door<unknown>(
      async (request) => {
        if (request.method === 'OPTIONS') return allowed(['GET'])
        return requestMethod(request) === 'GET' ? read(request) : frameworkResponse(405, ['GET'])
      },
      () => ({ errors: 'legacy', id }),
    ),
  )

/** Answers unknown paths. */
export const unknownPaths = forEveryMethod(
  door<unknown>(
    async () => frameworkResponse(404),
    () => ({ errors: 'legacy' }),
  ),
)

import { randomUUID } from 'node:crypto'
import { authenticate, requireScope } from '#lib/http/auth'
import { errorResponse, frameworkResponse } from '#lib/http/envelope'
import { log } from '#lib/http/log'
import { parseRequest } from '#lib/http/parse'
import { limitRate } from '#lib/http/rate-limit'
import type { AnyOperation } from '#lib/operations/operation'

type RouteContext = { params: Promise<Record<string, string>> }
type Handler = (request: Request, context: RouteContext) => Promise<Response>

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Only the schema's fields leave, in the schema's form. */
function answer(operation: AnyOperation, result: unknown): Response {
  const { response, status } = operation.contract
  if (!response) return new Response(null, { status })
  if (result instanceof Response) return result
  return Response.json(response.parse(result), { status })
}

/** Authenticate, parse, act, filter. */
async function perform(operation: AnyOperation, request: Request, context: RouteContext, headers: Headers) {
  const { contract } = operation
  const now = new Date()
  const user = contract.scope === null ? undefined : await authenticate(request, now)
  if (user) {
    requireScope(user, contract)
    const limits = await limitRate(contract, user.credential_id, now)
    for (const [name, value] of Object.entries(limits)) headers.set(name, value)
  }
  const input = await parseRequest(request, contract, await context.params)
  return answer(operation, await operation.act({ ...input, user, now, signal: request.signal }))
}

/** A method that the path does not have: 401 comes first, so that strangers learn nothing. */
async function refuseMethod(operations: AnyOperation[], request: Request): Promise<Response> {
  if (operations.every((operation) => operation.contract.scope !== null))
    await authenticate(request, new Date())
  return frameworkResponse(
    405,
    operations.map((operation) => operation.contract.method),
  )
}

function handler(operations: AnyOperation[]): Handler {
  return async (request, context) => {
    const started = performance.now()
    const requestId = request.headers.get('x-request-id')?.match(/^[\w-]{8,64}$/)?.[0] ?? randomUUID()
    const path = new URL(request.url).pathname
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const operation = operations.find((candidate) => candidate.contract.method === method)
    const shape = operation?.contract ?? operations[0]?.contract ?? ({ errors: 'legacy' } as const)
    const headers = new Headers({ 'X-Request-Id': requestId })
    let response: Response
    try {
      response = operation
        ? await perform(operation, request, context, headers)
        : await refuseMethod(operations, request)
    } catch (error) {
      response = errorResponse(error, shape, path)
      if (error instanceof Error && 'headers' in error)
        for (const [name, value] of Object.entries(error.headers as Record<string, string>))
          headers.set(name, value)
      if (response.status >= 500)
        log().error({ request_id: requestId, method, path, err: error }, 'request failed')
    }
    for (const [name, value] of headers) response.headers.set(name, value)
    if (!response.headers.has('cache-control')) response.headers.set('Cache-Control', 'no-store')
    const duration_ms = Math.round(performance.now() - started)
    log().info({ request_id: requestId, method, path, status: response.status, duration_ms }, 'request')
    return response
  }
}

/** All methods of one path. `export const { GET, POST, … } = routes(listThings, createThing)` */
export function routes(...operations: AnyOperation[]): Record<(typeof METHODS)[number], Handler> {
  const handle = handler(operations)
  return { GET: handle, POST: handle, PUT: handle, PATCH: handle, DELETE: handle }
}

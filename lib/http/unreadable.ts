import { randomUUID } from 'node:crypto'
import { type IncomingMessage, Server, type ServerResponse } from 'node:http'
import { log } from '#lib/http/log'
import { countRequest } from '#lib/metrics'

const METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/** Why a request cannot be passed to the framework, with the documented body; null if it can. */
function findRefusal({ method = '', url = '' }: IncomingMessage) {
  if (!METHODS.includes(method))
    return { status: 405, detail: 'Method Not Allowed', headers: { allow: METHODS.join(', ') } }
  if (!isDecodable(url.split('?')[0] ?? '')) return { status: 404, detail: 'Not Found', headers: {} }
  return null
}

function refuse(request: IncomingMessage, response: ServerResponse): boolean {
  const refusal = findRefusal(request)
  if (!refusal) return false
  const { status, detail, headers } = refusal
  const request_id = randomUUID()
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': request_id,
    ...headers,
  })
  response.end(JSON.stringify({ detail }))
  // Unknown methods are counted under one name.
  const method = METHODS.includes(request.method ?? '') ? (request.method ?? '') : 'other'
  countRequest({ operation: 'unknown', method, status }, 0)
  log().info({ request_id, method, status }, 'unreadable request')
  return true
}

/**
 * The web framework answers a path that does not decode (`/%zz`) and a method that a `Request` cannot have (TRACE) with a 500,
 * before our code runs. So these requests are refused before the server passes them on. Returns a function that undoes this.
 */
export function refuseUnreadable(): () => void {
  const { emit } = Server.prototype
  Server.prototype.emit = function (this: Server, event: string, ...given: unknown[]) {
    const [request, response] = given
    if (event === 'request' && refuse(request as IncomingMessage, response as ServerResponse)) return true
    return Reflect.apply(emit, this, [event, ...given])
  } as typeof emit
  return () => {
    Server.prototype.emit = emit
  }
}

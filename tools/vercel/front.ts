import * as fs from 'node:fs'
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import path from 'node:path'
import type { Functions, Instance } from './functions.ts'
import { findWay, type Route, type Way } from './routes.ts'

/** The host's limit for a request; larger ones never reach a function. */
const MOST_BYTES = 4.5 * 1024 * 1024

const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
}

type Options = { routes: Route[]; statics: string; functions: Functions; port: number }

/** The name of the function at a path. */
const toName = (at: string) => at.replace(/^\/+|\/+$/g, '') || 'index'

async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request) {
    size += part.length
    if (size <= MOST_BYTES) parts.push(part)
  }
  return size > MOST_BYTES ? null : Buffer.concat(parts)
}

type Asked = {
  request: IncomingMessage
  response: ServerResponse
  body: Buffer
  headers: IncomingMessage['headers']
}

/** Passes a request on to an instance, and streams its response back. */
function hand({ request, response, body, headers }: Asked, way: Way, { port, max_seconds }: Instance) {
  return new Promise<void>((resolve) => {
    const search = way.query.toString()
    const url = new URL(request.url ?? '/', 'http://opener.test')
    const to = {
      host: '127.0.0.1',
      port,
      method: request.method ?? 'GET',
      path: url.pathname + (search ? `?${search}` : ''),
      headers: {
        ...headers,
        'x-matched-path': way.path.replace(/(?<=.)\/$/, ''),
        'x-forwarded-for': request.socket.remoteAddress ?? '',
        'x-forwarded-host': request.headers.host ?? '',
        'x-forwarded-proto': 'http',
        'content-length': `${body.length}`,
      },
    }
    const timer = setTimeout(() => asked.destroy(new Error('timeout')), max_seconds * 1_000)
    const asked = ask(to, (answer) => {
      response.writeHead(way.status ?? answer.statusCode ?? 502, { ...way.headers, ...answer.headers })
      answer.pipe(response)
      answer.once('close', resolve)
    })
    asked.once('error', (error) => {
      if (!response.headersSent)
        response.writeHead(error.message === 'timeout' ? 504 : 502).end('FUNCTION_INVOCATION_FAILED')
      else response.destroy()
      resolve()
    })
    asked.once('close', () => clearTimeout(timer))
    response.once('close', () => asked.destroy())
    asked.end(body)
  })
}

/** Runs the middleware; null if the request continues, with the headers that the middleware added. */
async function middleware(functions: Functions, asked: Asked, way: Way): Promise<Response | null> {
  const { request } = asked
  const answer = await functions.use('_middleware', ({ port }) =>
    fetch(`http://127.0.0.1:${port}${request.url}`, {
      method: request.method === 'HEAD' ? 'HEAD' : 'GET',
      headers: Object.entries(asked.headers).flatMap(([name, value]): [string, string][] =>
        value === undefined || ['host', 'connection', 'content-length', 'transfer-encoding'].includes(name)
          ? []
          : [[name, `${value}`]],
      ),
      redirect: 'manual',
    }),
  )
  if (answer.headers.get('x-middleware-next') !== '1') return answer
  for (const [name, value] of answer.headers) {
    const told = name.startsWith('x-middleware-request-') ? name.slice('x-middleware-request-'.length) : null
    if (told) asked.headers[told] = value
    else if (
      !name.startsWith('x-middleware-') &&
      !['date', 'connection', 'content-length', 'transfer-encoding', 'keep-alive'].includes(name)
    )
      way.headers[name] = value
  }
  return null
}

/** Serves a build output on one port: its routes, its files and its functions. */
export async function serveOutput({ routes, statics, functions, port }: Options) {
  const fileAt = (at: string) => {
    const file = path.join(statics, path.normalize(decodeURI(at)))
    return file.startsWith(`${statics}${path.sep}`) && fs.statSync(file, { throwIfNoEntry: false })?.isFile()
      ? file
      : null
  }
  const exists = (at: string) => functions.exists(toName(at)) || safely(() => fileAt(at)) !== null

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const body = await readBody(request)
    if (!body) return void response.writeHead(413).end('FUNCTION_PAYLOAD_TOO_LARGE')
    const url = new URL(request.url ?? '/', 'http://opener.test')
    const asked: Asked = { request, response, body, headers: { ...request.headers } }
    const given = { path: url.pathname, query: url.searchParams, headers: {} }
    const header = (name: string) => {
      const value = request.headers[name]
      return value === undefined ? undefined : `${value}`
    }
    const end = await findWay(routes, given, { method: request.method ?? 'GET', header }, exists, (way) =>
      middleware(functions, asked, way),
    )
    if ('answer' in end) {
      const { answer: told } = end
      response.writeHead(told.status, { ...end.way.headers, ...Object.fromEntries(told.headers) })
      return void response.end(Buffer.from(await told.arrayBuffer()))
    }
    const { way } = end
    if (!end.found) return void response.writeHead(404, way.headers).end('NOT_FOUND')
    if (functions.exists(toName(way.path)))
      return functions.use(toName(way.path), (instance) => hand(asked, way, instance))
    const file = fileAt(way.path)
    const type = TYPES[path.extname(file ?? '')] ?? 'application/octet-stream'
    response.writeHead(way.status ?? 200, { 'content-type': type, ...way.headers })
    response.end(file && fs.readFileSync(file))
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      console.error(error)
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function safely<T>(work: () => T | null): T | null {
  try {
    return work()
  } catch {
    return null
  }
}

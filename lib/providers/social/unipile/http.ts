import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'

export type UnipileOptions = {
  /** The base of all paths, with a trailing slash. */
  base: URL
  api_key: string
  timeout_ms?: number
}

export type UnipileCall = {
  method: 'GET' | 'POST' | 'DELETE'
  /** Below the base. */
  path: string
  query?: Record<string, string | number | null | undefined>
  json?: Record<string, unknown>
  form?: FormData
}

/** `status` null: no answer. After `lost` it is not known whether the request was carried out; otherwise it never left. */
export type UnipileAnswer =
  | { status: number; body: unknown; retry_after_seconds: number | null }
  | { status: null; error: string; lost: boolean }

const TIMEOUT_MS = 30_000
/** Larger than any page of messages; a larger body is not an answer of this API. */
const MAX_BYTES = 8 * 1_048_576

/**
 * One request to Unipile's API. Connections are not reused: a request on a connection that the server had just closed could not
 * be told from one that was carried out. Never throws for failures of the server.
 */
export async function askUnipile(options: UnipileOptions, call: UnipileCall): Promise<UnipileAnswer> {
  const url = new URL(call.path, options.base)
  for (const [name, value] of Object.entries(call.query ?? {}))
    if (value !== null && value !== undefined) url.searchParams.set(name, String(value))
  const headers: Record<string, string> = { 'X-API-KEY': options.api_key, accept: 'application/json' }
  let content: Buffer | null = null
  if (call.form) {
    const encoded = new Response(call.form)
    headers['content-type'] = encoded.headers.get('content-type') ?? ''
    content = Buffer.from(await encoded.arrayBuffer())
  } else if (call.json) {
    headers['content-type'] = 'application/json'
    content = Buffer.from(JSON.stringify(call.json))
  }
  if (content) headers['content-length'] = String(content.length)
  return send(url, call.method, headers, content, options.timeout_ms ?? TIMEOUT_MS)
}

function send(
  url: URL,
  method: string,
  headers: Record<string, string>,
  content: Buffer | null,
  timeout: number,
): Promise<UnipileAnswer> {
  return new Promise((resolve) => {
    const isTls = url.protocol === 'https:'
    let lost = false
    const request = (isTls ? httpsRequest : httpRequest)(
      url,
      { method, headers, agent: false },
      (response) => {
        readAll(response).then(
          (text) =>
            resolve({
              status: response.statusCode ?? 0,
              body: parsed(text),
              retry_after_seconds: parseSeconds(response.headers['retry-after']),
            }),
          (error: Error) => resolve({ status: null, error: error.message, lost: true }),
        )
      },
    )
    const timer = setTimeout(
      () => request.destroy(new Error(`No answer within ${timeout / 1_000} s`)),
      timeout,
    )
    request.on('socket', (socket) =>
      socket.once(isTls ? 'secureConnect' : 'connect', () => {
        lost = true
      }),
    )
    request.on('error', (error) => resolve({ status: null, error: error.message, lost }))
    request.on('close', () => clearTimeout(timer))
    request.end(content ?? undefined)
  })
}

async function readAll(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  const pieces: AsyncIterable<Buffer> = response
  for await (const part of pieces) {
    size += part.length
    if (size > MAX_BYTES) throw new Error('The answer is too long.')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Text that is not JSON stays text; mostly it is a gateway's error page. */
function parsed(text: string): unknown {
  try {
    return readJson(text)
  } catch {
    return text.replaceAll('\0', '')
  }
}

/** Parses JSON with texts of a network's users, without NULs and lone surrogates, which JSON can escape and the database refuses. */
export const readJson = (text: string): unknown =>
  JSON.parse(text, (_, value) =>
    typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value,
  )

const parseSeconds = (header: string | undefined) =>
  header && /^\d{1,7}$/.test(header.trim()) ? Number(header) : null

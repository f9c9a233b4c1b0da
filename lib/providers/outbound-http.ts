import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { type Lookup, type OutboundPolicy, resolveHost } from '#lib/providers/outbound'

export type HttpPost = {
  /** POST by default. A GET has an empty body. */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers: Record<string, string>
  body: string | Uint8Array
  /** For the whole request, from the DNS lookup to the end of the answer. */
  timeout_ms: number
  /** How much of the answer is kept; by default the first kibibyte. */
  max_bytes?: number
  /** How long reading goes on once the status is known; two seconds by default. */
  patience_ms?: number
}

/** `status`: the server answered with it; `response` is the beginning of the body. Otherwise why there was no answer. */
export type HttpAnswer =
  | {
      status: number
      response: string
      bytes: Buffer
      retry_after: string | null
      /** The `location` header, which is not followed here. Absent if there was none. */
      location?: string | undefined
      /** The `range` header, by which an upload in parts reports what was received. */
      range?: string | undefined
      /** The answer broke off before its end and before `max_bytes`. */
      is_broken?: true
    }
  | { status: null; error: string; reason: NoAnswer }

/** After `lost` and `timeout` it is not known whether the request was received; otherwise it never left. */
type NoAnswer = 'blocked' | 'unreachable' | 'lost' | 'timeout'

export type OutboundHttpOptions = { policy: OutboundPolicy; lookup?: Lookup; ca?: string }

/** How much of an answer is kept by default, in bytes. */
const EXCERPT = 1_024

/**
 * One request to a URL that a user entered. Connects only to the address that was checked, follows no redirect, and reads only
 * the beginning of the answer. Never throws for failures of the server.
 */
export async function postOutbound(post: HttpPost, options: OutboundHttpOptions): Promise<HttpAnswer> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), post.timeout_ms)
  try {
    return await Promise.race([attempt(post, options, deadline.signal), aborted(deadline.signal, post)])
  } finally {
    clearTimeout(timer)
    deadline.abort()
  }
}

function aborted(signal: AbortSignal, { timeout_ms }: HttpPost): Promise<HttpAnswer> {
  return new Promise((resolve) => {
    const error = `No answer within ${timeout_ms / 1_000} s`
    signal.addEventListener('abort', () => resolve({ status: null, error, reason: 'timeout' }))
  })
}

async function attempt(
  post: HttpPost,
  { policy, lookup, ca }: OutboundHttpOptions,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const url = new URL(post.url)
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const resolved = await resolveHost(host, port, policy, lookup)
  if (!resolved.ok)
    return {
      status: null,
      error: resolved.error,
      reason: resolved.reason === 'blocked' ? 'blocked' : 'unreachable',
    }
  let last: HttpAnswer = { status: null, error: `${host} has no address`, reason: 'unreachable' }
  for (const address of resolved.addresses.slice(0, 2)) {
    last = await send(post, url, { address, port, host, ca, signal })
    // Once something was sent, another address of the host might receive it a second time.
    if (last.status !== null || last.reason !== 'unreachable') break
  }
  return last
}

type Target = { address: string; port: number; host: string; ca: string | undefined; signal: AbortSignal }

function send(post: HttpPost, url: URL, { address, port, host, ca, signal }: Target): Promise<HttpAnswer> {
  return new Promise((resolve) => {
    const isTls = url.protocol === 'https:'
    let reason: NoAnswer = 'unreachable'
    const content = typeof post.body === 'string' ? Buffer.from(post.body) : post.body
    const request = (isTls ? httpsRequest : httpRequest)(
      {
        host: address,
        port,
        path: `${url.pathname}${url.search}`,
        method: post.method ?? 'POST',
        headers: { ...post.headers, host: url.host, 'content-length': content.length },
        agent: false,
        signal,
        // The name that the certificate must match; an IP address is not sent as one.
        ...(isTls && { servername: isIP(host) ? '' : host }),
        ...(isTls && ca && { ca }),
      },
      (response) => void excerpt(response, post).then(resolve),
    )
    request.on('socket', (socket) =>
      socket.once(isTls ? 'secureConnect' : 'connect', () => {
        reason = 'lost'
      }),
    )
    request.on('error', (error) => resolve({ status: null, error: explain(error), reason }))
    request.end(content)
  })
}

/** Reads the beginning of the body. The status counts as soon as it is known, even if the body breaks off. */
function excerpt(
  response: IncomingMessage,
  { max_bytes = EXCERPT, patience_ms = 2_000 }: Pick<HttpPost, 'max_bytes' | 'patience_ms'>,
): Promise<HttpAnswer> {
  return new Promise((resolve) => {
    const parts: Buffer[] = []
    let size = 0
    const done = () => {
      const bytes = Buffer.concat(parts).subarray(0, max_bytes)
      resolve({
        status: response.statusCode ?? 0,
        response: bytes.toString('utf8').replaceAll('\0', ''),
        bytes,
        retry_after: response.headers['retry-after'] ?? null,
        location: response.headers.location,
        range: response.headers.range,
        ...(size < max_bytes && !response.complete && { is_broken: true }),
      })
      response.destroy()
    }
    // A server that keeps sending is not read any further.
    const patience = setTimeout(done, patience_ms)
    response.on('data', (part: Buffer) => {
      parts.push(part)
      size += part.length
      if (size >= max_bytes) done()
    })
    for (const event of ['end', 'error', 'aborted', 'close']) response.on(event, done)
    response.once('close', () => clearTimeout(patience))
  })
}

function explain(error: Error): string {
  const code = 'code' in error ? String(error.code) : ''
  return code && !error.message.includes(code) ? `${code}: ${error.message}` : error.message
}

import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { type OutboundPolicy, resolveHost } from '#lib/providers/outbound'
import type { OutboundHttpOptions } from '#lib/providers/outbound-http'

export type Download = {
  url: string
  max_bytes: number
  /** For the whole download with all redirects, to the last byte. */
  timeout_ms: number
}

/** Null for headers that the server did not send. */
export type Downloaded =
  | { ok: true; bytes: Buffer<ArrayBuffer>; url: string; disposition: string | null }
  | { ok: false; reason: 'refused' | 'too_large' | 'status' | 'unreachable' | 'timeout'; error: string }

const MOST_REDIRECTS = 5
const REDIRECTS = [301, 302, 303, 307, 308]

/**
 * Downloads a file from a URL that a user entered. Each redirect is checked like the first URL: its host is resolved once,
 * checked against the policy, and only that address is connected to. Reads no more than `max_bytes`. Never throws for failures
 * of the server.
 */
export async function download(asked: Download, options: OutboundHttpOptions): Promise<Downloaded> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), asked.timeout_ms)
  const error = `The server took longer than ${asked.timeout_ms / 1_000} seconds.`
  const late = new Promise<Downloaded>((resolve) => {
    deadline.signal.addEventListener('abort', () => resolve({ ok: false, reason: 'timeout', error }))
  })
  try {
    return await Promise.race([follow(asked, options, deadline.signal), late])
  } finally {
    clearTimeout(timer)
    deadline.abort()
  }
}

async function follow(
  asked: Download,
  options: OutboundHttpOptions,
  signal: AbortSignal,
): Promise<Downloaded> {
  let url = new URL(asked.url)
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const problem = urlProblem(url, options.policy)
    if (problem) return { ok: false, reason: 'refused', error: problem }
    const answer = await get(url, asked.max_bytes, options, signal)
    if (!('location' in answer)) return answer
    const next = URL.parse(answer.location, url)
    if (!next) return { ok: false, reason: 'status', error: `${url.host} does not resolve to an address.` }
    url = next
  }
  return { ok: false, reason: 'status', error: `There are more than ${MOST_REDIRECTS} redirects.` }
}

/** Plain http only if the operator allows private hosts: otherwise anybody on the way could insert other people into the list. */
function urlProblem(url: URL, { allow_private_hosts }: OutboundPolicy): string | null {
  if (url.username || url.password) return 'Addresses with a user name or password are not allowed.'
  if (url.protocol === 'https:' || (url.protocol === 'http:' && allow_private_hosts)) return null
  return `Only https addresses are allowed, not ${url.protocol}//${url.host}`
}

type Hop = Downloaded | { location: string }

async function get(
  url: URL,
  maxBytes: number,
  { policy, lookup, ca }: OutboundHttpOptions,
  signal: AbortSignal,
): Promise<Hop> {
  const isTls = url.protocol === 'https:'
  const port = Number(url.port) || (isTls ? 443 : 80)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const resolved = await resolveHost(host, port, policy, lookup)
  if (!resolved.ok) {
    const reason = resolved.reason === 'blocked' ? 'refused' : 'unreachable'
    return { ok: false, reason, error: resolved.error }
  }
  const headers = { host: url.host, accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Opener' }
  return new Promise((resolve) => {
    const request = (isTls ? httpsRequest : httpRequest)(
      {
        host: resolved.addresses[0],
        port,
        path: `${url.pathname}${url.search}`,
        headers,
        agent: false,
        signal,
        ...(isTls && { servername: isIP(host) ? '' : host }),
        ...(isTls && ca && { ca }),
      },
      (response) => void read(url, response, maxBytes).then(resolve),
    )
    request.on('error', ({ message }) => resolve({ ok: false, reason: 'unreachable', error: message }))
    request.end()
  })
}

async function read(url: URL, response: IncomingMessage, maxBytes: number): Promise<Hop> {
  const { statusCode: status = 0, headers } = response
  const end = <T>(answer: T) => {
    response.destroy()
    return answer
  }
  if (REDIRECTS.includes(status) && headers.location) return end({ location: headers.location })
  if (status !== 200)
    return end({ ok: false, reason: 'status', error: `${url.host} answered with status ${status}.` })
  const error = `The file is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB.`
  const tooLarge = { ok: false, reason: 'too_large', error } as const
  if (Number(headers['content-length'] ?? 0) > maxBytes) return end(tooLarge)
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of response) {
      parts.push(part)
      size += part.length
      if (size > maxBytes) return end(tooLarge)
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { ok: false, reason: 'unreachable', error: `The download was cut off: ${message}` }
  }
  const disposition = headers['content-disposition'] ?? null
  return { ok: true, bytes: Buffer.concat(parts), url: url.href, disposition }
}

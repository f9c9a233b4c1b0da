import type { NeverLeftReason } from '#lib/providers/mail/port'
import { type HttpAnswer, type OutboundHttpOptions, postOutbound } from '#lib/providers/outbound-http'

export type MailApiOptions = {
  outbound: OutboundHttpOptions
  /** The origin of the API, without a trailing slash. */
  origin: string
  /** Hosts of the same vendor, besides its own, that accept large files. */
  upload_origins?: readonly string[]
  clock?: () => Date
  timeout_ms?: number
}

export type ApiCall = {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below the origin, or a whole URL that the API returned. */
  path: string
  query?: Record<string, string | number>
  headers?: Record<string, string>
  /** An object is sent as JSON. */
  body?: string | object
  max_bytes?: number
}

/** `status` null: no answer. After `lost` it is not known whether the request was carried out; otherwise it never left. */
export type ApiAnswer =
  | {
      status: number
      body: unknown
      bytes: Buffer
      retry_after_ms: number | null
      location?: string | undefined
      range?: string | undefined
    }
  | { status: null; reason: Extract<NeverLeftReason, 'blocked' | 'connect' | 'lost'>; error: string }

const TIMEOUT_MS = 60_000
const MAX_BYTES = 4 * 1_048_576
const ELSEWHERE: ApiAnswer = {
  status: null,
  reason: 'blocked',
  error: 'The API named an address of another host.',
}

/** One request with a mailbox's token, sent only to the API's own host. Never repeated; never throws for a failure of the API. */
export async function askApi(options: MailApiOptions, token: string, call: ApiCall): Promise<ApiAnswer> {
  const { outbound, origin, timeout_ms = TIMEOUT_MS, clock = () => new Date() } = options
  const url = URL.parse(call.path, origin)
  if (url?.origin !== new URL(origin).origin) return ELSEWHERE
  for (const [name, value] of Object.entries(call.query ?? {})) url.searchParams.append(name, String(value))
  // Some servers read a plus as a space, others as a plus.
  url.search = url.search.replaceAll('+', '%20')
  const isJson = typeof call.body === 'object'
  const answer = await postOutbound(
    {
      method: call.method ?? 'GET',
      url: url.href,
      headers: {
        accept: 'application/json',
        ...(isJson && { 'content-type': 'application/json' }),
        ...call.headers,
        authorization: `Bearer ${token}`,
      },
      body: isJson ? JSON.stringify(call.body) : String(call.body ?? ''),
      timeout_ms,
      max_bytes: call.max_bytes ?? MAX_BYTES,
      patience_ms: timeout_ms,
    },
    outbound,
  )
  if (answer.status === null) {
    const reason = answer.reason === 'unreachable' ? 'connect' : answer.reason
    return { status: null, reason: reason === 'timeout' ? 'lost' : reason, error: clean(answer.error, token) }
  }
  const isQuestion = (call.method ?? 'GET') === 'GET' && answer.status < 300
  // For a change, the status is enough. A read that broke off halfway would pass for a complete one, so it counts as lost.
  if (answer.is_broken && isQuestion)
    return { status: null, reason: 'lost', error: 'The connection broke off in the middle of an answer.' }
  return toAnswer(answer, clock())
}

function toAnswer(
  { response, retry_after, is_broken: _, ...said }: Extract<HttpAnswer, { status: number }>,
  now: Date,
): ApiAnswer {
  return { ...said, body: parsed(response), retry_after_ms: waitMs(retry_after, now) }
}

/** One part of a file: its bytes, its offset and the total size. */
export type Part = { bytes: Uint8Array; from: number; of: number; content_type: string }

/**
 * Uploads a part to a URL that the API gave for it, on one of the vendor's own hosts. The URL grants access by itself, so no
 * token is sent, and no error text repeats the URL.
 */
export async function putPart(options: MailApiOptions, address: string, part: Part): Promise<ApiAnswer> {
  const { outbound, origin, upload_origins = [], timeout_ms = TIMEOUT_MS, clock = () => new Date() } = options
  const url = URL.parse(address, origin)
  if (
    !url ||
    url.username ||
    url.password ||
    ![new URL(origin).origin, ...upload_origins].includes(url.origin)
  )
    return ELSEWHERE
  const { bytes, from, of, content_type } = part
  const answer = await postOutbound(
    {
      method: 'PUT',
      url: url.href,
      headers: {
        accept: 'application/json',
        'content-type': content_type,
        'content-range': `bytes ${from}-${from + bytes.length - 1}/${of}`,
      },
      body: bytes,
      timeout_ms,
      max_bytes: MAX_BYTES,
      patience_ms: timeout_ms,
    },
    outbound,
  )
  if (answer.status !== null) return toAnswer(answer, clock())
  const reason = answer.reason === 'unreachable' ? 'connect' : answer.reason
  return { status: null, reason: reason === 'timeout' ? 'lost' : reason, error: clean(answer.error, address) }
}

/** Text that is not JSON is a page of a gateway in between, or the beginning of a response that is too long. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** RFC 9110 section 10.2.3: seconds, or a date. */
export function waitMs(header: string | null, now: Date): number | null {
  if (!header) return null
  if (/^\d{1,7}$/.test(header.trim())) return Number(header) * 1_000
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime())
}

/** The text of a response without the token. */
export const clean = (text: string, token: string): string =>
  text
    .replaceAll(token, '[secret]')
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, 1_000)
    .toWellFormed()

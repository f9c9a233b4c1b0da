import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { signature } from '#lib/engine/protocol'

/** Steps may run long; only a call to a hung app is abandoned. */
const CALL_LIMIT_MS = 2 * 3_600_000
const CONNECT_LIMIT_MS = 10_000

export type Answer =
  | { kind: 'answer'; status: number; headers: IncomingHttpHeaders; body: unknown; text: string }
  /** The app never got the request: nothing ran, and no attempt is used up. */
  | { kind: 'unreachable'; reason: string }
  /** The connection broke during the call: the step may have run. */
  | { kind: 'broken'; reason: string }
  /** This engine is stopping and abandoned the call. */
  | { kind: 'abandoned' }

type AppCall = {
  method: 'POST' | 'PUT'
  url: URL
  /** Canonical JSON. */
  body: string
  headers: Record<string, string>
  signingKey: string | undefined
  signal: AbortSignal
}

function parse(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Sends one signed request to the app. Never resends it and never keeps a socket alive: a reset on a reused
 * socket cannot be told from a crash during the step, and a resend would carry outdated step results.
 */
export function callApp({ method, url, body, headers, signingKey, signal }: AppCall): Promise<Answer> {
  return new Promise((resolve) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method,
      agent: false,
      signal,
      headers: {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'x-inngest-server-kind': signingKey ? 'cloud' : 'dev',
        ...(signingKey ? { 'x-inngest-signature': signature(signingKey, body) } : {}),
        ...headers,
      },
    })
    let connected = false
    const connectTimer = setTimeout(
      () => request.destroy(new Error('connecting took too long')),
      CONNECT_LIMIT_MS,
    )
    const callTimer = setTimeout(() => request.destroy(new Error('no answer in two hours')), CALL_LIMIT_MS)
    const settle = (answer: Answer) => {
      clearTimeout(connectTimer)
      clearTimeout(callTimer)
      resolve(answer)
    }
    const fail = (error: Error) => {
      if (signal.aborted) settle({ kind: 'abandoned' })
      else settle({ kind: connected ? 'broken' : 'unreachable', reason: error.message || String(error) })
    }
    request.on('socket', (socket) => {
      socket.setKeepAlive(true, 60_000)
      socket.once('connect', () => {
        connected = true
        clearTimeout(connectTimer)
      })
    })
    request.on('error', fail)
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', fail)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        settle({
          kind: 'answer',
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: parse(text),
          text,
        })
      })
    })
    request.end(body)
  })
}

/**
 * Answers of a proxy, a booting app or a wrong key. The SDK marks its own answers, so no function code ran
 * behind these.
 */
const NOT_THE_SDK = new Set([401, 403, 404, 405, 502, 503])

/**
 * Whether the answer shows that no function code ran. The call is then repeated later without using up an
 * attempt.
 */
export function didNotRun(answer: Answer): answer is Answer & { kind: 'answer' | 'unreachable' } {
  if (answer.kind === 'unreachable') return true
  if (answer.kind !== 'answer' || answer.headers['x-inngest-sdk']) return false
  return NOT_THE_SDK.has(answer.status) || (answer.status >= 200 && answer.status < 400)
}

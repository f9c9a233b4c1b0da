import type { EnrichmentProvider, LookupAnswer } from '#lib/providers/enrichment/port'
import type { OutboundPolicy } from '#lib/providers/outbound'
import { type HttpPost, postOutbound } from '#lib/providers/outbound-http'

/** The fields of a verification result, as stored in the ledger of look-ups. */
export const VERIFICATION_FIELDS = ['status', 'code', 'reason'] as const

/** A service that is asked `{email}` and answers `{status, code, reason}`; `nothing` if it does not know either. */
export type Verifier = EnrichmentProvider & { fields: typeof VERIFICATION_FIELDS }

/** `url` replaces the service's own address in tests. */
export type VerifierOptions = { api_key: string; price_micros: number; policy: OutboundPolicy; url?: string }

/** `code` is one of the verification codes. */
export type Said = { status: 'valid' | 'invalid' | 'risky'; code: string }

/** The parsed response: a result with the service's own words, an error of the service, or null if it is unreadable. */
export type Read = { said: Said | null; words: string } | { error: string } | null

/** An answer without a result costs nothing: the built-in services charge only for what they know. */
export function toAnswer(
  name: string,
  { said, words }: Exclude<Read, null | { error: string }>,
  price: number,
) {
  if (!said) return { outcome: 'nothing', cost_micros: 0 } satisfies LookupAnswer
  const reason = `${name} says: ${words.replaceAll('\0', '').slice(0, 100)}.`
  return {
    outcome: 'found',
    fields: { ...said, reason },
    cost_micros: price,
    source: name,
  } satisfies LookupAnswer
}

type Question = Pick<HttpPost, 'method' | 'url' | 'body'> & { name: string; read: (json: unknown) => Read }

/** Sends one request. Error texts name the service but never the requested URL, which may contain a key. */
export async function askService(
  { name, read, ...question }: Question,
  { policy, price_micros }: VerifierOptions,
): Promise<LookupAnswer> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const answer = await postOutbound(
    { ...question, headers, timeout_ms: 40_000, max_bytes: 16_384 },
    { policy },
  )
  if (answer.status === null) {
    const is_paid = answer.reason === 'lost' || answer.reason === 'timeout'
    return { outcome: 'failed', error: `${name} did not answer: ${answer.error}`, is_paid }
  }
  if (answer.status !== 200)
    return { outcome: 'failed', error: `${name} answered ${answer.status}.`, is_paid: answer.status >= 500 }
  const result = read(parseJson(answer.response))
  if (!result)
    return { outcome: 'failed', error: `The response from ${name} could not be read.`, is_paid: true }
  if ('error' in result) return { outcome: 'failed', error: `${name}: ${result.error}`, is_paid: false }
  return toAnswer(name, result, price_micros)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

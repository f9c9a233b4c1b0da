import type { EnrichmentProvider, LookupAnswer } from '#lib/providers/enrichment/port'
import type { OutboundPolicy } from '#lib/providers/outbound'
import { type HttpPost, postOutbound } from '#lib/providers/outbound-http'

/** What a verification service may answer of an address, as the ledger of look-ups keeps it. */
export const VERIFICATION_FIELDS = ['status', 'code', 'reason'] as const

/** A service that is asked `{email}` and answers `{status, code, reason}`; `nothing` where it does not know either. */
export type Verifier = EnrichmentProvider & { fields: typeof VERIFICATION_FIELDS }

/** `url` is another address than the service's own, for tests. */
export type VerifierOptions = { api_key: string; price_micros: number; policy: OutboundPolicy; url?: string }

/** `code` is one of the codes of a verification. */
export type Said = { status: 'valid' | 'invalid' | 'risky'; code: string }

/** A result in the service's own words, with what it means; an error of the service; null for what cannot be read. */
export type Read = { said: Said | null; words: string } | { error: string } | null

/** Where nothing is said nothing is paid: the services that are built in charge only for what they know. */
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

/** One question. Errors name the service and never the address that was asked, in which a key may stand. */
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

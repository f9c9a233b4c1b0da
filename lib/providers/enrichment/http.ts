import { z } from 'zod'
import type { EnrichmentProvider, LookupAnswer } from '#lib/providers/enrichment/port'
import type { OutboundPolicy } from '#lib/providers/outbound'
import { postOutbound } from '#lib/providers/outbound-http'

export type HttpEnrichmentOptions = {
  name: string
  url: string
  token: string | undefined
  fields: readonly string[]
  price_micros: number
  policy: OutboundPolicy
  timeout_ms?: number
}

const MAX_ANSWER_BYTES = 64 * 1_024

/** `found` without fields counts as nothing found; a price above the agreed one is the service's mistake and is ignored. */
const Answer = z.object({
  found: z.boolean(),
  fields: z.record(z.string(), z.string().max(2_000)).default({}),
  cost: z.number().nonnegative().optional(),
  source: z.string().max(500).optional(),
})

/**
 * Any service that answers `POST {lead}` with `{found, fields, cost?, source?}`; a small adapter makes one out of every data
 * provider. Returned keys that are not in `fields` are dropped.
 */
export function httpEnrichment(options: HttpEnrichmentOptions): EnrichmentProvider {
  const { name, url, token, fields, price_micros, policy } = options
  return {
    name,
    description: `Asks ${new URL(url).host}.`,
    is_sandbox: false,
    fields,
    price_micros,
    async lookup(lead) {
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      }
      const answer = await postOutbound(
        {
          url,
          headers,
          body: JSON.stringify({ lead }),
          timeout_ms: options.timeout_ms ?? 20_000,
          max_bytes: MAX_ANSWER_BYTES,
        },
        { policy },
      )
      if (answer.status === null)
        return {
          outcome: 'failed',
          error: answer.error,
          is_paid: answer.reason === 'lost' || answer.reason === 'timeout',
        }
      return read(answer.status, answer.response, options)
    },
  }
}

function read(status: number, text: string, { fields, price_micros }: HttpEnrichmentOptions): LookupAnswer {
  if (status === 404) return { outcome: 'nothing', cost_micros: 0 }
  if (status < 200 || status > 299)
    return { outcome: 'failed', error: `It answered ${status}.`, is_paid: status >= 500 }
  const parsed = Answer.safeParse(parseJson(text))
  if (!parsed.success)
    return { outcome: 'failed', error: 'Its response is not in the expected format.', is_paid: true }
  const { found, cost, source } = parsed.data
  const cost_micros = cost === undefined ? price_micros : Math.min(price_micros, Math.ceil(cost * 1_000_000))
  const known = Object.entries(parsed.data.fields).filter(
    ([field, value]) => fields.includes(field) && isText(value),
  )
  if (!found || known.length === 0)
    return { outcome: 'nothing', cost_micros: cost === undefined && !found ? 0 : cost_micros }
  return { outcome: 'found', fields: Object.fromEntries(known), cost_micros, source: source ?? 'provider' }
}

/** Postgres refuses NUL, and UTF-8 has no lone surrogate. */
const isText = (value: string) => value.trim() !== '' && !value.includes('\0') && value.isWellFormed()

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

import { timingSafeEqual } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

/** The signature headers of a request, with the body they sign. */
export type FormSignature = {
  id: string | null
  timestamp: string | null
  signatures: string | null
  /** The body as received; null if it cannot be signed. */
  body: string | null
}

const TOLERANCE_MS = 5 * 60_000
/** A server may sign with two secrets while one is being replaced. */
const MOST_SIGNATURES = 4

/**
 * Verifies a signature as specified by standardwebhooks.com, by our own clock, so that a recorded request
 * cannot be replayed later.
 */
export function holds(
  { id, timestamp, signatures, body }: FormSignature,
  secret: string,
  now: Date,
): boolean {
  if (!id || !timestamp || !signatures || body === null || !/^\d{1,12}$/.test(timestamp)) return false
  const at = new Date(Number(timestamp) * 1_000)
  if (Math.abs(now.getTime() - at.getTime()) > TOLERANCE_MS) return false
  const wanted = Buffer.from(new Webhook(secret).sign(id.slice(0, 255), at, body))
  return signatures
    .slice(0, 1_024)
    .split(' ')
    .slice(0, MOST_SIGNATURES)
    .some((given) => {
      const bytes = Buffer.from(given)
      return bytes.length === wanted.length && timingSafeEqual(bytes, wanted)
    })
}

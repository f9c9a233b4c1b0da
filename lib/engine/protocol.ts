import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import canonicalize from 'canonicalize'
import { z } from 'zod'

/** Types of the Inngest SDK's HTTP protocol (inngest 4.24): see docs/SDK_SPEC.md of inngest/inngest. */
export type EventBody = {
  id: string
  name: string
  data: unknown
  ts: number
  v?: string
  user?: unknown
  meta?: unknown
}

/** The result of a step, in the form the SDK expects in `steps`. */
export type Memo = { type: 'data'; data: unknown } | { type: 'error'; error: unknown }

/** What a call reports about a step or the run. */
export const Op = z.object({
  id: z.string(),
  op: z.string(),
  name: z.string().nullish(),
  displayName: z.string().nullish(),
  opts: z.record(z.string(), z.unknown()).nullish(),
  data: z.unknown().optional(),
  error: z.unknown().optional(),
})
export type Op = z.output<typeof Op>

export const FAILED = 'inngest/function.failed'
export const SCHEDULED = 'inngest/scheduled.timer'

export const engineError = (message: string, name = 'Error') => ({ name, message, stack: '' })

/** RFC 8785 (canonical) JSON: the SDK signs what it parsed, so the bytes sent must already be canonical. */
export const canonical = (value: unknown): string => canonicalize(value) ?? 'null'

const withoutPrefix = (signingKey: string) => signingKey.replace(/^signkey-\w+-/, '')

/** `x-inngest-signature` of a request body. */
export function signature(signingKey: string, body: string, now = Date.now()): string {
  const seconds = Math.round(now / 1000).toString()
  const mac = createHmac('sha256', withoutPrefix(signingKey)).update(body).update(seconds).digest('hex')
  return `t=${seconds}&s=${mac}`
}

/** The bearer token that the SDK derives from the signing key for its API calls. */
export function hashedSigningKey(signingKey: string): string {
  const bare = withoutPrefix(signingKey)
  const prefix = signingKey.slice(0, signingKey.length - bare.length)
  return prefix + createHash('sha256').update(Buffer.from(bare, 'hex')).digest('hex')
}

/** Compares in constant time; the lengths may differ. */
export function sameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A ULID: 48 bits of time and 80 bits of `entropy`. */
export function ulid(time = Date.now(), entropy: Buffer = randomBytes(10)): string {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(time, 0, 6)
  entropy.copy(bytes, 6)
  let value = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  for (let i = 0; i < 26; i++) {
    text = (BASE32[Number(value & 31n)] ?? '') + text
    value >>= 5n
  }
  return text
}

/**
 * The id of the `index`th event of a POST. It is the same when the POST is resent, so resent events are not
 * stored twice.
 */
export function seededId(seed: string | undefined, index: number): string {
  const [time, entropy] = (seed ?? '').split(',')
  const bytes = Buffer.from(entropy ?? '', 'base64')
  const ms = Number(time)
  if (bytes.length !== 10 || !Number.isSafeInteger(ms) || ms < 0 || ms >= 2 ** 48) return ulid()
  bytes.writeUInt32BE((bytes.readUInt32BE(6) + index + 1) >>> 0, 6)
  return ulid(ms, bytes)
}

/** Milliseconds of a `retry-after` header (seconds or a date); undefined if it is missing or invalid. */
export function retryAfterMs(header: string | undefined, now = Date.now()): number | undefined {
  if (!header) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : new Date(header).getTime() - now
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined
}

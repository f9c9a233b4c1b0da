import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { readJson } from '#lib/providers/social/unipile/http'

/** The greatest age of a signed request in seconds. */
const TOLERANCE_S = 300

/** `Unipile-Signature: t=…,v0=…`: hex HMAC-SHA256 over the seconds, a dot and the raw body. */
export function isSigned(secret: string, headers: Headers, body: string, now: Date): boolean {
  const parts = new Map(
    (headers.get('unipile-signature') ?? '').split(',').map((part) => {
      const [name = '', value = ''] = part.trim().split('=', 2)
      return [name, value]
    }),
  )
  const [t, v0] = [parts.get('t') ?? '', parts.get('v0') ?? '']
  if (!/^\d{1,12}$/.test(t) || Math.abs(now.getTime() / 1_000 - Number(t)) > TOLERANCE_S) return false
  return isSame(v0, createHmac('sha256', secret).update(`${t}.${body}`).digest('hex'))
}

/** Compares in constant time, after the lengths. */
export function isSame(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHash('sha256').update(text).digest())
  return left !== undefined && right !== undefined && timingSafeEqual(left, right)
}

export function parseJson(body: string): unknown {
  try {
    return readJson(body)
  } catch {
    return null
  }
}

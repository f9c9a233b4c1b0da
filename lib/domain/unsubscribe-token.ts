import { createHmac, timingSafeEqual } from 'node:crypto'

/** The action whose message carries the link, which leads to the lead and its address, and its owner. */
export type UnsubscribeIds = { user_id: string; action_id: string }

const VERSION = 'u1'
const MAC_BYTES = 16
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const bytesOf = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex')
const uuidOf = (bytes: Buffer) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

/** 128 bits of HMAC-SHA256; the version is signed along, so a token of one kind never passes for another. */
function macOf(payload: Buffer, key: Uint8Array) {
  return createHmac('sha256', key).update(`${VERSION}.`).update(payload).digest().subarray(0, MAC_BYTES)
}

/**
 * The token of unsubscribe links: 67 characters that need no escaping in a URL or a mail subject. It does not
 * expire, since a link in an old mail must still work. Both ids are lower-case UUIDs, otherwise null.
 */
export function unsubscribeToken({ user_id, action_id }: UnsubscribeIds, key: Uint8Array): string | null {
  if (!UUID.test(user_id) || !UUID.test(action_id)) return null
  const payload = Buffer.concat([bytesOf(user_id), bytesOf(action_id)])
  return `${VERSION}.${Buffer.concat([payload, macOf(payload, key)]).toString('base64url')}`
}

/** Null for anything not made by `unsubscribeToken` with this key, down to the last bit of its spelling. */
export function readUnsubscribeToken(token: string, key: Uint8Array): UnsubscribeIds | null {
  const [version, encoded = '', ...rest] = token.split('.')
  if (version !== VERSION || rest.length > 0 || encoded.length !== 64) return null
  const bytes = Buffer.from(encoded, 'base64url')
  // Base64 decoders skip what they do not know; a token has one spelling only.
  if (bytes.length !== 32 + MAC_BYTES || bytes.toString('base64url') !== encoded) return null
  const payload = bytes.subarray(0, 32)
  if (!timingSafeEqual(bytes.subarray(32), macOf(payload, key))) return null
  return { user_id: uuidOf(payload.subarray(0, 16)), action_id: uuidOf(payload.subarray(16)) }
}

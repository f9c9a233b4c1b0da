import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'

const MAC_BYTES = 16

/** A cache: Node otherwise imports the key's bytes for each MAC, which costs more than the MAC. */
const taken = new WeakMap<Uint8Array, KeyObject>()

function keyObject(key: Uint8Array): KeyObject {
  const object = taken.get(key) ?? createSecretKey(key)
  taken.set(key, object)
  return object
}

/** 128 bits of HMAC-SHA256. The version is signed too, so a token of one kind never passes for another. */
function computeMac(version: string, payload: Buffer, key: Uint8Array) {
  return createHmac('sha256', keyObject(key))
    .update(`${version}.`)
    .update(payload)
    .digest()
    .subarray(0, MAC_BYTES)
}

/** `version.base64url(payload, mac)`: needs no escaping in a URL, and cannot be made without the key. */
export function signedToken(version: string, payload: Buffer, key: Uint8Array): string {
  return `${version}.${Buffer.concat([payload, computeMac(version, payload, key)]).toString('base64url')}`
}

/** The payload; null for anything not made by `signedToken` with this key, including other encodings of the same bytes. */
export function readSignedToken(version: string, token: string, key: Uint8Array): Buffer | null {
  const [kind, encoded = '', ...rest] = token.split('.')
  if (kind !== version || rest.length > 0) return null
  const bytes = Buffer.from(encoded, 'base64url')
  // Base64 decoders skip unknown characters; a token has only one valid encoding.
  if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== encoded) return null
  const payload = bytes.subarray(0, -MAC_BYTES)
  return timingSafeEqual(bytes.subarray(-MAC_BYTES), computeMac(version, payload, key)) ? payload : null
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The 16 bytes of a lower-case UUID; null for any other text. */
export const uuidBytes = (uuid: string): Buffer | null =>
  UUID.test(uuid) ? Buffer.from(uuid.replaceAll('-', ''), 'hex') : null

export const uuidText = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

import { createHmac, timingSafeEqual } from 'node:crypto'

const PREFIX = 'bounce+'
const MAC_BYTES = 12
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** RFC 4648 base32 in lower case: mail servers may change the case of an address. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

function computeMac(id: Buffer, key: Uint8Array): Buffer {
  return createHmac('sha256', key).update('bounce.1.').update(id).digest().subarray(0, MAC_BYTES)
}

function encode(bytes: Buffer): string {
  let bits = BigInt(`0x${bytes.toString('hex')}`) << BigInt((5 - ((bytes.length * 8) % 5)) % 5)
  let text = ''
  for (let left = Math.ceil((bytes.length * 8) / 5); left > 0; left--) {
    text = (ALPHABET[Number(bits & 31n)] ?? '') + text
    bits >>= 5n
  }
  return text
}

function decode(text: string): Buffer | null {
  let bits = 0n
  for (const letter of text) {
    const place = ALPHABET.indexOf(letter)
    if (place < 0) return null
    bits = (bits << 5n) | BigInt(place)
  }
  const length = Math.floor((text.length * 5) / 8)
  return Buffer.from(
    (bits >> BigInt(text.length * 5 - length * 8)).toString(16).padStart(length * 2, '0'),
    'hex',
  )
}

const LENGTH = 16 + MAC_BYTES

/**
 * The address for a message's bounces (VERP): `bounce+<45 letters>@bounce.example.com`, its local part within the 64 characters
 * of RFC 5321. It names the action and is signed, so that nobody can report bounces of mail they never got. Null if the id is no
 * UUID.
 */
export function bounceAddress(action_id: string, host: string, key: Uint8Array): string | null {
  if (!UUID.test(action_id)) return null
  const id = Buffer.from(action_id.replaceAll('-', ''), 'hex')
  return `${PREFIX}${encode(Buffer.concat([id, computeMac(id, key)]))}@${host}`
}

/** The action of such an address; null for any other address, down to the last bit. Case does not matter. */
export function readBounceAddress(
  address: string,
  key: Uint8Array,
): { action_id: string; host: string } | null {
  const [, token = '', host = ''] = /^bounce\+([a-z2-7]{45})@([^@]+)$/.exec(address.toLowerCase()) ?? []
  const bytes = decode(token)
  if (bytes?.length !== LENGTH || encode(bytes) !== token) return null
  const id = bytes.subarray(0, 16)
  if (!timingSafeEqual(bytes.subarray(16), computeMac(id, key))) return null
  const action_id = id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  return { action_id, host }
}

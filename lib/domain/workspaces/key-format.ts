/** The prefix of every API key. */
export const API_KEY_PREFIX = 'opn_'
const LIVE = `${API_KEY_PREFIX}live_`

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** The number of base-62 characters for 32 bytes and for a CRC-32. */
const SECRET_SIGNS = 43
const CHECK_SIGNS = 6

function base62(value: bigint, signs: number): string {
  let text = ''
  for (let rest = value; rest > 0n; rest /= 62n) text = BASE62[Number(rest % 62n)] + text
  return text.padStart(signs, '0')
}

/** CRC-32 of ASCII text, as in zip and PNG. */
function crc32(text: string): number {
  let crc = 0xffffffff
  for (const sign of text) {
    crc ^= sign.charCodeAt(0)
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

const checksum = (secret: string) => base62(BigInt(crc32(secret)), CHECK_SIGNS)

/**
 * `opn_live_`, 32 random bytes and their CRC-32, both in base 62: secret scanners recognize it, and it can be checked without a
 * database.
 */
export function makeApiKey(random: Buffer): string {
  const secret = base62(BigInt(`0x${random.toString('hex')}`), SECRET_SIGNS)
  return LIVE + secret + checksum(secret)
}

const hasOnly = (text: string, more: string) =>
  [...text].every((sign) => BASE62.includes(sign) || more.includes(sign))

/** Whether a token can be a key at all. Keys from before the checksum have 43 characters of base64url. */
export function isWellFormedKey(token: string): boolean {
  if (!token.startsWith(LIVE)) return false
  const rest = token.slice(LIVE.length)
  if (rest.length === SECRET_SIGNS) return hasOnly(rest, '-_')
  if (rest.length !== SECRET_SIGNS + CHECK_SIGNS || !hasOnly(rest, '')) return false
  return checksum(rest.slice(0, SECRET_SIGNS)) === rest.slice(SECRET_SIGNS)
}

import { readSignedToken, signedToken, uuidBytes, uuidText } from '#lib/domain/tokens/signed-token'

const VERSION = 'p1'

/** The token in a URL that accepts one file until then. The id is a lower-case UUID, `until` epoch milliseconds. */
export function uploadToken(upload_id: string, until: number, key: Uint8Array): string {
  const time = Buffer.alloc(6)
  time.writeUIntBE(until, 0, 6)
  return signedToken(VERSION, Buffer.concat([uuidBytes(upload_id) ?? Buffer.alloc(16), time]), key)
}

/** The upload's id; null for anything not made by `uploadToken` with this key, and for an expired token. */
export function readUploadToken(token: string, now: number, key: Uint8Array): string | null {
  const payload = readSignedToken(VERSION, token, key)
  if (payload?.length !== 22 || payload.readUIntBE(16, 6) <= now) return null
  return uuidText(payload.subarray(0, 16))
}

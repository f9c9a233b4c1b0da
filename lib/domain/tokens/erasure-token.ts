import { readSignedToken, signedToken, uuidBytes, uuidText } from '#lib/domain/tokens/signed-token'

const VERSION = 'e1'

/** Proves that the owner was shown what an erasure deletes. `expires_at` is epoch milliseconds. */
export function erasureToken(userId: string, expires_at: number, key: Uint8Array): string {
  const until = Buffer.alloc(6)
  until.writeUIntBE(expires_at, 0, 6)
  return signedToken(VERSION, Buffer.concat([uuidBytes(userId) ?? Buffer.alloc(16), until]), key)
}

/** Whether the token belongs to this user and has not expired. */
export function erasureTokenHolds(token: string, userId: string, now: number, key: Uint8Array): boolean {
  const payload = readSignedToken(VERSION, token, key)
  if (payload?.length !== 22) return false
  return uuidText(payload.subarray(0, 16)) === userId && payload.readUIntBE(16, 6) > now
}

import { readSignedToken, signedToken, uuidBytes, uuidText } from '#lib/domain/tokens/signed-token'

/** The reader whose analytics emails a link ends. */
type Reader = { workspace_id: string; user_id: string }

const VERSION = 'a1'

/** The token does not expire: a link in an old email must still work, and can only end something. */
export function analyticsEmailToken({ workspace_id, user_id }: Reader, key: Uint8Array): string | null {
  const [workspace, user] = [uuidBytes(workspace_id), uuidBytes(user_id)]
  return workspace && user && signedToken(VERSION, Buffer.concat([workspace, user]), key)
}

/** Null for anything not made by `analyticsEmailToken` with this key. */
export function readAnalyticsEmailToken(token: string, key: Uint8Array): Reader | null {
  const payload = readSignedToken(VERSION, token, key)
  if (payload?.length !== 32) return null
  return { workspace_id: uuidText(payload.subarray(0, 16)), user_id: uuidText(payload.subarray(16)) }
}

import { readSignedToken, signedToken, uuidBytes, uuidText } from '#lib/domain/tokens/signed-token'

/** The action whose message contains the link, which identifies the lead and its address, and its workspace. */
export type UnsubscribeIds = { workspace_id: string; action_id: string }

const VERSION = 'u1'

/**
 * The token of unsubscribe links: 67 characters that need no escaping in a URL or a mail subject. It does not
 * expire, since a link in an old mail must still work. Both ids are lower-case UUIDs, otherwise null.
 */
export function unsubscribeToken(
  { workspace_id, action_id }: UnsubscribeIds,
  key: Uint8Array,
): string | null {
  const [workspace, action] = [uuidBytes(workspace_id), uuidBytes(action_id)]
  return workspace && action && signedToken(VERSION, Buffer.concat([workspace, action]), key)
}

/** Null for anything not made by `unsubscribeToken` with this key. */
export function readUnsubscribeToken(token: string, key: Uint8Array): UnsubscribeIds | null {
  const payload = readSignedToken(VERSION, token, key)
  if (payload?.length !== 32) return null
  return { workspace_id: uuidText(payload.subarray(0, 16)), action_id: uuidText(payload.subarray(16)) }
}

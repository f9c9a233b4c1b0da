import { readSignedToken, signedToken, uuidBytes, uuidText } from '#lib/domain/tokens/signed-token'

/** A link of one message: `link` counts the rewritten links of the message from 1. */
export type TrackedLink = { action_id: string; link: number; url: string }

const CLICK = 'c1'
const OPEN = 'o1'

/** Longer targets are not rewritten: the token carries them, and some programs cut addresses at about 2,000 characters. */
export const LONGEST_TARGET = 1_400
export const MOST_LINKS = 200

/**
 * The token of a rewritten link. The target is inside and signed, so that no link can be bent to lead elsewhere, and an
 * old mail's links still lead where they did after its campaign was deleted. Null for what cannot be tracked.
 */
export function clickToken({ action_id, link, url }: TrackedLink, key: Uint8Array): string | null {
  const action = uuidBytes(action_id)
  const target = Buffer.from(url, 'utf8')
  if (!action || target.length > LONGEST_TARGET || link < 1 || link > MOST_LINKS) return null
  return signedToken(CLICK, Buffer.concat([action, Buffer.from([link]), target]), key)
}

/** Null for anything not made by `clickToken` with this key. */
export function readClickToken(token: string, key: Uint8Array): TrackedLink | null {
  const payload = readSignedToken(CLICK, token, key)
  if (!payload || payload.length < 18) return null
  return {
    action_id: uuidText(payload.subarray(0, 16)),
    link: payload[16] ?? 0,
    url: payload.subarray(17).toString('utf8'),
  }
}

/** The token in the address of the invisible image; null where `actionId` is no UUID. */
export function openToken(actionId: string, key: Uint8Array): string | null {
  const action = uuidBytes(actionId)
  return action && signedToken(OPEN, action, key)
}

/** The action that the image belongs to; null for anything not made by `openToken` with this key. */
export function readOpenToken(token: string, key: Uint8Array): string | null {
  const payload = readSignedToken(OPEN, token, key)
  return payload?.length === 16 ? uuidText(payload) : null
}

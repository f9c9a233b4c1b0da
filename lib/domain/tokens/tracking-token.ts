import { readSignedToken, signedToken, uuidBytes, uuidText } from '#lib/domain/tokens/signed-token'

/** A link of one message: `link` counts the message's rewritten links from 1. */
export type TrackedLink = { action_id: string; link: number; url: string }

const CLICK = 'c1'
const OPEN = 'o1'

/** Longer targets are not rewritten: the token contains the target, and some programs cut URLs at about 2,000 characters. */
export const LONGEST_TARGET = 1_400
export const MOST_LINKS = 200

/**
 * The token of a rewritten link. The target is part of it and signed, so a link cannot be changed to lead elsewhere, and links
 * in old mail still work after their campaign was deleted. Null for a target that cannot be tracked.
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

/** The token in the URL of the tracking image; null if `actionId` is no UUID. */
export function openToken(actionId: string, key: Uint8Array): string | null {
  const action = uuidBytes(actionId)
  return action && signedToken(OPEN, action, key)
}

/** The action that the image belongs to; null for anything not made by `openToken` with this key. */
export function readOpenToken(token: string, key: Uint8Array): string | null {
  const payload = readSignedToken(OPEN, token, key)
  return payload?.length === 16 ? uuidText(payload) : null
}

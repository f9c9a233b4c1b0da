import { randomUUID } from 'node:crypto'
import { db } from '#lib/db/client'
import { keyFor } from '#lib/db/seal'
import { type ChallengeUse, newChallenge, readChallenge } from '#lib/domain/tokens/challenges'
import { env } from '#lib/env'

const PURPOSE = 'passkey-challenge'
/** Addresses of this machine. A passkey needs a name and cannot be bound to an IP address. */
const LOOPBACK = new Set(['127.0.0.1', '[::1]'])

/** The relying party of passkeys, from APP_URL. On the local machine it is "localhost", whichever address is used. */
export function relyingParty() {
  const { protocol, hostname, host, port } = new URL(env().APP_URL)
  const id = LOOPBACK.has(hostname) ? 'localhost' : hostname
  const at = LOOPBACK.has(hostname) ? `localhost${port && `:${port}`}` : host
  return { id, name: 'Opener', origin: `${protocol}//${at}` }
}

/** Loaded on demand: the library is large and needed only for passkeys. */
export const webAuthn = () => import('@simplewebauthn/server')

export const makeChallenge = (use: ChallengeUse, now: Date) =>
  newChallenge(use, randomUUID(), now, keyFor(PURPOSE))

/** Uses up a challenge, given in base64url; false if it is unknown, for another use, used or expired. */
export async function useChallenge(use: ChallengeUse, encoded: string, now: Date): Promise<boolean> {
  const challenge = Buffer.from(encoded, 'base64url').toString('utf8')
  const read = readChallenge(challenge, use, now, keyFor(PURPOSE))
  if (!read) return false
  const row = { grant_id: read.id, expires_at: read.expires_at }
  const { count } = await db.usedGrant.createMany({ data: [row], skipDuplicates: true })
  if (count > 0) await db.usedGrant.deleteMany({ where: { expires_at: { lt: now } } })
  return count > 0
}

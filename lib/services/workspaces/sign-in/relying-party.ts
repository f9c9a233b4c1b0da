import { randomUUID } from 'node:crypto'
import { db } from '#lib/db/client'
import { keyFor } from '#lib/db/seal'
import { type ChallengeUse, newChallenge, readChallenge } from '#lib/domain/tokens/challenges'
import { env } from '#lib/env'

const PURPOSE = 'passkey-challenge'
/** By which browsers call this machine, and after which no passkey can be named: those need a name. */
const LOOPBACK = new Set(['127.0.0.1', '[::1]'])

/** What passkeys belong to, as APP_URL says it. On the machine itself that is "localhost", however it is called there. */
export function relyingParty() {
  const { protocol, hostname, host, port } = new URL(env().APP_URL)
  const id = LOOPBACK.has(hostname) ? 'localhost' : hostname
  const at = LOOPBACK.has(hostname) ? `localhost${port && `:${port}`}` : host
  return { id, name: 'Opener', origin: `${protocol}//${at}` }
}

/** Large, and wanted only where somebody uses a passkey. */
export const webAuthn = () => import('@simplewebauthn/server')

export const makeChallenge = (use: ChallengeUse, now: Date) =>
  newChallenge(use, randomUUID(), now, keyFor(PURPOSE))

/** Uses a challenge up, which comes back in base64url; false where it is not ours, for something else, used or too old. */
export async function useChallenge(use: ChallengeUse, encoded: string, now: Date): Promise<boolean> {
  const challenge = Buffer.from(encoded, 'base64url').toString('utf8')
  const read = readChallenge(challenge, use, now, keyFor(PURPOSE))
  if (!read) return false
  const row = { grant_id: read.id, expires_at: read.expires_at }
  const { count } = await db.usedGrant.createMany({ data: [row], skipDuplicates: true })
  if (count > 0) await db.usedGrant.deleteMany({ where: { expires_at: { lt: now } } })
  return count > 0
}

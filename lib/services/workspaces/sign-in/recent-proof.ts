import type { z } from 'zod'
import type { Proof } from '#lib/contracts/workspaces/proof'
import { db } from '#lib/db/client'
import { AppError, invalid } from '#lib/errors'
import { giveTokenBack } from '#lib/services/instance/rate-limits'
import { userOfPasskey } from '#lib/services/workspaces/sign-in/by-passkey'
import { matchesPassword } from '#lib/services/workspaces/sign-in/password-hashes'
import { takeSecondFactor } from '#lib/services/workspaces/sign-in/second-factor'
import { takeTry } from '#lib/services/workspaces/sign-in/tries'
import { findUser } from '#lib/services/workspaces/users'

const RECENT_MS = 15 * 60_000
const TRIES_A_MINUTE = 5

/** The caller: a browser's session, or a JWT of its own that says when it was issued. */
export type Prover = { user_id: string; session_id?: string; issued_at?: Date }

/** Until when a session may change sign-in methods; null if it may not. */
export async function provenUntil(who: Prover, now: Date): Promise<Date | null> {
  const { user_id, session_id } = who
  const session = session_id && (await db.userSession.findFirst({ where: { user_id, session_id } }))
  const at = session ? session.proven_at : session_id ? undefined : who.issued_at
  const until = at && new Date(at.getTime() + RECENT_MS)
  return until && until > now ? until : null
}

/** Keeps an unattended signed-in browser from being enough to take over an account. */
export async function requireRecentProof(who: Prover, now: Date): Promise<void> {
  if (!(await provenUntil(who, now))) throw new AppError('proof_outdated')
}

/** Lets the session change sign-in methods for a while. */
export async function proveIdentity(
  who: Prover,
  proof: z.output<typeof Proof>,
  now: Date,
): Promise<{ good_until: Date }> {
  const { user_id, session_id } = who
  if (!session_id)
    throw new AppError('invalid_state', {
      message:
        'This JWT does not belong to a session. Get a new one: its age counts from when it was issued.',
    })
  const bucket = `proof:${user_id}`
  await takeTry(bucket, TRIES_A_MINUTE, now)
  if (!(await holds(user_id, proof, now))) throw invalid(['body', nameProof(proof)], 'is not right')
  await giveTokenBack(bucket)
  await db.userSession.updateMany({ where: { user_id, session_id }, data: { proven_at: now } })
  return { good_until: new Date(now.getTime() + RECENT_MS) }
}

const nameProof = (proof: z.output<typeof Proof>) =>
  'password' in proof ? 'password' : 'code' in proof ? 'code' : 'passkey'

async function holds(userId: string, proof: z.output<typeof Proof>, now: Date) {
  if ('password' in proof) {
    const user = await findUser(userId)
    return matchesPassword(proof.password, user?.password_hash ?? null)
  }
  if ('code' in proof) return (await takeSecondFactor(userId, proof.code, now)) !== null
  const use = { purpose: 'confirm', user_id: userId } as const
  return (await userOfPasskey(use, proof.passkey, now))?.user_id === userId
}

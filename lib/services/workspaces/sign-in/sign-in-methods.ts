import type { db } from '#lib/db/client'
import { AppError } from '#lib/errors'
import { providerOfIssuer } from '#lib/services/workspaces/sign-in/identity-providers'

type Tx = Pick<typeof db, 'user' | 'passkey' | 'identity' | '$queryRaw'>

/** What an account is opened by. */
export async function signInMethods(tx: Omit<Tx, '$queryRaw'>, userId: string) {
  const where = { user_id: userId }
  const [user, passkeys, identities] = await Promise.all([
    tx.user.findUnique({ where, select: { password_hash: true } }),
    tx.passkey.count({ where }),
    tx.identity.findMany({ where, select: { issuer: true } }),
  ])
  // Those of issuers of JWTs alone open no browser.
  const opening = identities.filter(({ issuer }) => providerOfIssuer(issuer) !== 'token')
  return { password: user?.password_hash ? 1 : 0, passkeys, identities: opening.length }
}

/**
 * Removes one of the ways in, unless it is the last one. The owner's row makes removals take turns: of two at once each
 * would see the other's way.
 */
export async function removeSignInMethod<T extends Tx>(
  tx: T,
  userId: string,
  remove: () => Promise<unknown>,
) {
  await tx.$queryRaw`SELECT user_id FROM users WHERE user_id = ${userId}::uuid FOR UPDATE`
  await remove()
  const left = await signInMethods(tx, userId)
  if (left.password + left.passkeys + left.identities === 0) throw new AppError('last_way_in')
}

import type { db } from '#lib/db/client'
import { AppError } from '#lib/errors'
import { providerOfIssuer } from '#lib/services/workspaces/sign-in/identity-providers'

type Tx = Pick<typeof db, 'user' | 'passkey' | 'identity' | '$queryRaw'>

/** The sign-in methods of an account. */
export async function signInMethods(tx: Omit<Tx, '$queryRaw'>, userId: string) {
  const where = { user_id: userId }
  const [user, passkeys, identities] = await Promise.all([
    tx.user.findUnique({ where, select: { password_hash: true } }),
    tx.passkey.count({ where }),
    tx.identity.findMany({ where, select: { issuer: true } }),
  ])
  // Identities of issuers that only sign JWTs cannot sign in a browser.
  const opening = identities.filter(({ issuer }) => providerOfIssuer(issuer) !== 'token')
  return { password: user?.password_hash ? 1 : 0, passkeys, identities: opening.length }
}

/**
 * Removes a sign-in method unless it is the last one. Locks the user's row, because two removals at once would each still see the
 * other's method.
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

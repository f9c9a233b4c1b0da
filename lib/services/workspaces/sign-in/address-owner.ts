import type { db } from '#lib/db/client'

type Tx = Pick<
  typeof db,
  'user' | 'userSession' | 'passkey' | 'identity' | 'authenticatorApp' | 'recoveryCode' | 'apiKey'
>

/** Signs every browser out, and removes what was added since: passkeys, identities, the authenticator app and its codes, API keys. */
export async function endWaysIn(tx: Tx, user_id: string, now: Date, since: Date): Promise<void> {
  const active = { user_id, revoked_at: null }
  const added = { user_id, created_at: { gte: since } }
  await tx.userSession.updateMany({ where: active, data: { revoked_at: now } })
  await tx.passkey.deleteMany({ where: added })
  await tx.identity.deleteMany({ where: added })
  await tx.authenticatorApp.deleteMany({
    where: { user_id, OR: [{ created_at: { gte: since } }, { confirmed_at: { gte: since } }] },
  })
  await tx.recoveryCode.deleteMany({ where: added })
  await tx.apiKey.updateMany({ where: { ...active, ...added }, data: { revoked_at: now } })
}

/**
 * To be called once the owner of the address has shown that it is theirs. Where nobody had before, whoever made the account may be
 * another, who typed the address: all that opens it by now ends.
 */
export async function verifyAddress(tx: Tx, user_id: string, now: Date): Promise<void> {
  const { count } = await tx.user.updateMany({
    where: { user_id, email_verified_at: null },
    data: { email_verified_at: now, password_hash: null },
  })
  if (count > 0) await endWaysIn(tx, user_id, now, new Date(0))
}

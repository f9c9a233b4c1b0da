import type { db } from '#lib/db/client'
import type { Prisma } from '#lib/db/generated/client'
import { removeInvited } from '#lib/services/workspaces/leaving/invited-before'
import { type Browser, wasOpenedFrom } from '#lib/services/workspaces/sign-in/sign-ins'

type Tx = Pick<
  typeof db,
  'user' | 'userSession' | 'passkey' | 'identity' | 'authenticatorApp' | 'recoveryCode' | 'apiKey'
>

/** Signs every browser out, and removes access added since `since`: passkeys, identities, the authenticator app and its codes, API keys. */
export async function endAccess(tx: Tx, user_id: string, now: Date, since: Date): Promise<void> {
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
 * Call it once the owner of the address has proven that it is theirs. If it was unproven until now, the account may have been made by
 * somebody else who typed the address, so everything that gives access to it ends, and its invitations too. Returns whether it was.
 */
export async function verifyAddress(
  tx: Tx & Pick<typeof db, 'invitation'>,
  user_id: string,
  now: Date,
): Promise<boolean> {
  const { count } = await tx.user.updateMany({
    where: { user_id, email_verified_at: null },
    data: { email_verified_at: now, password_hash: null },
  })
  if (count === 0) return false
  await endAccess(tx, user_id, now, new Date(0))
  await tx.invitation.updateMany({
    where: { invited_by: user_id, accepted_at: null, revoked_at: null },
    data: { revoked_at: now },
  })
  return true
}

/**
 * The same in a browser. If the account was used from this browser before, its maker is the owner of the address, and their team
 * stays. From an unknown browser, people the maker invited are removed from the account's workspaces.
 */
export async function verifyAddressFrom(
  tx: Prisma.TransactionClient,
  user_id: string,
  browser: Browser | null,
  now: Date,
): Promise<void> {
  if (!(await verifyAddress(tx, user_id, now))) return
  if (browser && (await wasOpenedFrom(tx, user_id, browser))) return
  await removeInvited(tx, user_id, now)
}

import { db } from '#lib/db/client'
import { makeUser } from '#lib/services/workspaces/new-user'
import { verifyAddress } from '#lib/services/workspaces/sign-in/address-owner'
import { hashPassword, matchesPassword } from '#lib/services/workspaces/sign-in/password-hashes'

/** Null for a wrong password and for an unknown address alike. */
export async function userOfPassword(email: string, password: string) {
  const user = await db.user.findUnique({ where: { email: email.trim().toLowerCase() } })
  return (await matchesPassword(password, user?.password_hash ?? null)) ? user : null
}

export async function findUser(userId: string) {
  return db.user.findUnique({ where: { user_id: userId } })
}

/** Null where no account has the address. */
export async function userOfEmail(email: string) {
  return db.user.findUnique({ where: { email: email.trim().toLowerCase() } })
}

/** The zone in which the days of a workspace's limits are counted. */
export async function workspaceTimezone(workspaceId: string): Promise<string> {
  const where = { workspace_id: workspaceId }
  return (await db.workspace.findUnique({ where, select: { timezone: true } }))?.timezone ?? 'UTC'
}

/** The zone of the workspace that somebody was in first. */
export async function homeTimezone(userId: string): Promise<string> {
  const home = await db.member.findFirst({
    where: { user_id: userId },
    orderBy: [{ created_at: 'asc' }, { workspace_id: 'asc' }],
    select: { workspace: { select: { timezone: true } } },
  })
  return home?.workspace.timezone ?? 'UTC'
}

/** The user of that address, made where there is none. For those who vouch for it: the operator, and identity providers. */
export async function ensureUser(email: string, name = email.split('@')[0] ?? email) {
  const address = email.trim().toLowerCase()
  return (
    (await makeUser({ email: address, name, email_verified_at: new Date() })) ??
    (await db.user.findUniqueOrThrow({ where: { email: address } }))
  )
}

/** Null where the address has an account already. */
export async function createUserWithPassword(email: string, name: string, password: string) {
  return createUserWithHash(email, name, await hashPassword(password))
}

/** The same of a password that was looked at already. */
export async function createUserWithHash(email: string, name: string, password_hash: string) {
  return makeUser({ email: email.trim().toLowerCase(), name, password_hash })
}

/** Stands where nobody vouches for an address; no mail ever reaches it. */
export const placeholderAddress = ({ issuer, subject }: { issuer: string; subject: string }) =>
  `${Buffer.from(`${issuer} ${subject}`).toString('base64url')}@identity.invalid`.toLowerCase()

/** What an identity provider says of the bearer of its token. */
export type IdentityClaims = {
  issuer: string
  subject: string
  email?: string | undefined
  email_verified?: boolean | undefined
  name?: string | undefined
}

/**
 * The user of an identity, found by (issuer, subject) or made. An address joins an identity to an account that
 * exists only when the provider vouches for it; otherwise anyone could name himself into another's data.
 */
export async function userOfIdentity(claims: IdentityClaims) {
  const { issuer, subject } = claims
  const known = await db.identity.findUnique({
    where: { issuer_subject: { issuer, subject } },
    include: { user: true },
  })
  if (known) return known.user
  const email = claims.email_verified ? claims.email?.toLowerCase() : undefined
  const user = await ensureUser(email ?? placeholderAddress(claims), claims.name)
  await db.$transaction((tx) => verifyAddress(tx, user.user_id, new Date()))
  await db.identity.createMany({ data: { issuer, subject, user_id: user.user_id }, skipDuplicates: true })
  return user
}

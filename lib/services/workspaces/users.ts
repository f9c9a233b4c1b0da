import { db } from '#lib/db/client'
import { makeUser } from '#lib/services/workspaces/new-user'
import { verifyAddress } from '#lib/services/workspaces/sign-in/address-owner'
import { hashPassword, matchesPassword } from '#lib/services/workspaces/sign-in/password-hashes'

/** Null for both a wrong password and an unknown address. */
export async function userOfPassword(email: string, password: string) {
  const user = await db.user.findUnique({ where: { email: email.trim().toLowerCase() } })
  return (await matchesPassword(password, user?.password_hash ?? null)) ? user : null
}

export async function findUser(userId: string) {
  return db.user.findUnique({ where: { user_id: userId } })
}

/** Null if no account has the address. */
export async function userOfEmail(email: string) {
  return db.user.findUnique({ where: { email: email.trim().toLowerCase() } })
}

/** The time zone in which a workspace's daily limits are counted. */
export async function workspaceTimezone(workspaceId: string): Promise<string> {
  const where = { workspace_id: workspaceId }
  return (await db.workspace.findUnique({ where, select: { timezone: true } }))?.timezone ?? 'UTC'
}

/** The time zone of the workspace that the user joined first. */
export async function homeTimezone(userId: string): Promise<string> {
  const home = await db.member.findFirst({
    where: { user_id: userId },
    orderBy: [{ created_at: 'asc' }, { workspace_id: 'asc' }],
    select: { workspace: { select: { timezone: true } } },
  })
  return home?.workspace.timezone ?? 'UTC'
}

/** The user with this address, created if missing. Only for callers that vouch for the address: the operator, and identity providers. */
export async function ensureUser(email: string, name = email.split('@')[0] ?? email) {
  const address = email.trim().toLowerCase()
  return (
    (await makeUser({ email: address, name, email_verified_at: new Date() })) ??
    (await db.user.findUniqueOrThrow({ where: { email: address } }))
  )
}

/** Null if the address has an account already. */
export async function createUserWithPassword(email: string, name: string, password: string) {
  return createUserWithHash(email, name, await hashPassword(password))
}

/** The same, with the hash of a password that was checked already. */
export async function createUserWithHash(email: string, name: string, password_hash: string) {
  return makeUser({ email: email.trim().toLowerCase(), name, password_hash })
}

/** A placeholder where nobody vouches for an address; no mail is ever sent to it. */
export const placeholderAddress = ({ issuer, subject }: { issuer: string; subject: string }) =>
  `${Buffer.from(`${issuer} ${subject}`).toString('base64url')}@identity.invalid`.toLowerCase()

/** What an identity provider asserts about the bearer of its token. */
export type IdentityClaims = {
  issuer: string
  subject: string
  email?: string | undefined
  email_verified?: boolean | undefined
  name?: string | undefined
}

/**
 * The user of an identity, found by (issuer, subject) or created. An identity is linked to an existing account by its address only if the
 * provider vouches for the address; otherwise anyone could claim another user's address.
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

import type { z } from 'zod'
import type { ListIdentities } from '#lib/contracts/workspaces/identities'
import { db } from '#lib/db/client'
import { rowsOfPage } from '#lib/db/page'
import {
  type IdentityClaims,
  type IdentityFacts,
  readIdentityClaims,
} from '#lib/domain/workspaces/identity-claims'
import { AppError } from '#lib/errors'
import { recordOutside } from '#lib/services/workspaces/audit'
import { verifyAddressFrom } from '#lib/services/workspaces/sign-in/address-owner'
import { type IdentityProvider, providerOfIssuer } from '#lib/services/workspaces/sign-in/identity-providers'
import { type Prover, requireRecentProof } from '#lib/services/workspaces/sign-in/recent-proof'
import { removeSignInMethod } from '#lib/services/workspaces/sign-in/sign-in-methods'
import type { Browser } from '#lib/services/workspaces/sign-in/sign-ins'
import { ensureUser, placeholderAddress } from '#lib/services/workspaces/users'

/** Why a provider's assertion was not sufficient. */
export type IdentityRefusal = 'address_taken' | 'no_account' | 'no_address' | 'other_domain'

type Rules = Pick<IdentityProvider, 'makes_accounts' | 'links_by_email' | 'only_domain'> & { id: string }

const identityKey = ({ issuer, subject }: IdentityFacts) => ({ issuer_subject: { issuer, subject } })

/** The facts that a provider's answer establishes about a person. */
export function readAnswer(
  { id, issuer }: IdentityProvider,
  profile: IdentityClaims | undefined,
): IdentityFacts {
  const facts = readIdentityClaims(id, issuer, profile ?? {})
  if (!facts) throw new Error('The provider did not identify anyone.')
  return facts
}

/** Whether the account has a sign-in method. */
async function hasWayIn(userId: string): Promise<boolean> {
  const holder = await db.user.findFirst({
    where: {
      user_id: userId,
      OR: [{ password_hash: { not: null } }, { identities: { some: {} } }, { passkeys: { some: {} } }],
    },
    select: { user_id: true },
  })
  return holder !== null
}

/**
 * The user of an identity. An unknown identity gets a new account, or one without any sign-in method. An account that has one is never
 * joined by its address alone, unless the operator trusts this provider with that: its user links the identity while signed in. See
 * docs/decisions.
 */
export async function userOfProvider(facts: IdentityFacts, rules: Rules, browser: Browser | null = null) {
  if (rules.only_domain && facts.hosted_domain !== rules.only_domain) return refuse('other_domain')
  const known = await db.identity.findUnique({ where: identityKey(facts), include: { user: true } })
  if (known) return { user: known.user, is_new: false }
  const email = facts.email ?? (rules.id === 'oidc' ? placeholderAddress(facts) : undefined)
  if (!email) return refuse('no_address')
  const there = await db.user.findUnique({ where: { email } })
  if (!there && !rules.makes_accounts) return refuse('no_account')
  if (there && !rules.links_by_email && (await hasWayIn(there.user_id))) return refuse('address_taken')
  const user = there ?? (await ensureUser(email, facts.name))
  await db.$transaction((tx) => verifyAddressFrom(tx, user.user_id, browser, new Date()))
  await link(user.user_id, facts)
  // A concurrent first sign-in created the identity; it belongs to the same user.
  const linked = await db.identity.findUniqueOrThrow({ where: identityKey(facts), include: { user: true } })
  return { user: linked.user, is_new: !there }
}

const refuse = (refused: IdentityRefusal) => ({ refused })

async function link(userId: string, { issuer, subject, said_email }: IdentityFacts): Promise<number> {
  const { count } = await db.identity.createMany({
    data: { issuer, subject, user_id: userId, email: said_email ?? null },
    skipDuplicates: true,
  })
  return count
}

/** Links an identity to the signed-in user's account; `conflict` if it is somebody else's. */
export async function connectIdentity(userId: string, facts: IdentityFacts, rules: Rules, now: Date) {
  if (rules.only_domain && facts.hosted_domain !== rules.only_domain)
    throw new AppError('forbidden', { message: `Only accounts at ${rules.only_domain} can sign in.` })
  const made = await link(userId, facts)
  const { user_id } = await db.identity.findUniqueOrThrow({ where: identityKey(facts) })
  if (user_id !== userId)
    throw new AppError('conflict', { message: 'That sign-in belongs to another account on this instance.' })
  if (made > 0) await recordOutside(userId, 'connectIdentity', now)
}

/** An account's linked identities, the oldest first. */
export async function listIdentities(
  userId: string,
  { page, page_size }: z.output<typeof ListIdentities.query>,
) {
  const where = { user_id: userId }
  const [rows, total] = await Promise.all([
    db.identity.findMany({
      where,
      orderBy: [{ created_at: 'asc' }, { identity_id: 'asc' }],
      ...rowsOfPage({ page, page_size }),
    }),
    db.identity.count({ where }),
  ])
  const items = rows.map((row) => ({ ...row, provider: providerOfIssuer(row.issuer) }))
  return { items, total, page, page_size }
}

/** Refused if the account would then have no sign-in method. */
export async function disconnectIdentity(who: Prover, identityId: string, now: Date): Promise<void> {
  await requireRecentProof(who, now)
  const { user_id } = who
  const where = { user_id, identity_id: identityId }
  if ((await db.identity.count({ where })) === 0) throw new AppError('identity_not_found')
  await db.$transaction((tx) => removeSignInMethod(tx, user_id, () => tx.identity.deleteMany({ where })))
}

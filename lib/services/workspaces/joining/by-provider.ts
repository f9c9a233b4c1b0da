import { GroupRoles } from '#lib/contracts/workspaces/group-roles'
import { db } from '#lib/db/client'
import { isOfManyTenants } from '#lib/domain/workspaces/identity-claims'
import { readGroups, roleAfterSignIn } from '#lib/domain/workspaces/provider-roles'
import type { Role } from '#lib/domain/workspaces/roles'
import { claimableDomain, isProofOld } from '#lib/domain/workspaces/sign-in-domain'
import { env } from '#lib/env'
import type { DnsProvider } from '#lib/providers/dns/port'
import { takeTurn } from '#lib/services/instance/turn'
import { recordInWorkspace } from '#lib/services/workspaces/audit'
import { isProven, keepProof } from '#lib/services/workspaces/joining/sign-in-domains'
import { giveRole } from '#lib/services/workspaces/members'

type Person = { user_id: string }
/** What the provider asserts at this sign-in. */
type Vouched = { email: string | undefined; groups: string[] | null }

/** The groups in a token; null if they cannot be trusted, because a multi-tenant issuer lets each tenant name groups freely. */
export const groupsNamed = (
  provider: { id: string; issuer: string },
  claims: object = {},
): string[] | null =>
  provider.id === 'oidc' && !isOfManyTenants(provider.issuer)
    ? readGroups({ ...claims }, env().OIDC_GROUPS_CLAIM)
    : null

/** To be called at each sign-in by a provider: applies its assertions to the workspaces of this instance. */
export async function followProvider(
  person: Person,
  { email, groups }: Vouched,
  now: Date,
  dns: DnsProvider,
): Promise<void> {
  const domain = email === undefined ? null : claimableDomain(email)
  if (domain !== null) await joinByDomain(person, domain, now, dns)
  if (groups !== null) await followGroups(person, domain, groups, now)
}

/** Users with an address of a verified domain join its workspace, unless they are members already or left it before. */
async function joinByDomain({ user_id }: Person, domain: string, now: Date, dns: DnsProvider): Promise<void> {
  const claim = await db.signInDomain.findFirst({ where: { domain, verified_at: { not: null } } })
  if (!claim) return
  const { workspace_id, sign_in_domain_id } = claim
  const one = { workspace_id_user_id: { workspace_id, user_id } }
  if ((await db.member.findUnique({ where: one })) || (await db.pastMember.findUnique({ where: one }))) return
  if (isProofOld(claim.checked_at, now)) {
    const proven = await isProven(claim, dns)
    // Without a DNS answer nobody is let in and nothing is changed: the next sign-in checks again.
    if (proven === null) return
    await keepProof(claim, proven, now)
    if (!proven) return recordInWorkspace(claim, { user_id }, 'loseSignInDomain', now)
  }
  const joined = await db.$transaction(async (tx) => {
    await takeTurn(tx, workspace_id)
    const still = { workspace_id, sign_in_domain_id, verified_at: { not: null } }
    const proven = await tx.signInDomain.findFirst({ where: still })
    if (!proven || (await tx.pastMember.findUnique({ where: one }))) return false
    const data = { workspace_id, user_id, role: proven.role, role_from: 'provider' } as const
    const { count } = await tx.member.createMany({ data, skipDuplicates: true })
    // Users keep the workspace they have chosen; new users start in their team's.
    await tx.user.updateMany({
      where: { user_id, last_workspace_id: null },
      data: { last_workspace_id: workspace_id },
    })
    return count > 0
  })
  if (joined) await recordInWorkspace(claim, { user_id }, 'joinByDomain', now)
}

/** In each workspace with rules for groups, applies the role that the groups give now. */
async function followGroups(
  { user_id }: Person,
  domain: string | null,
  groups: string[],
  now: Date,
): Promise<void> {
  const where = { workspace: { members: { some: { user_id } } } }
  for (const { workspace_id } of await db.groupRoles.findMany({ where })) {
    const changed = await db.$transaction(async (tx) => {
      await takeTurn(tx, workspace_id)
      const rules = await tx.groupRoles.findUnique({ where: { workspace_id } })
      const member = await tx.member.findUnique({
        where: { workspace_id_user_id: { workspace_id, user_id } },
      })
      if (!rules || !member) return false
      const claim = domain
        ? await tx.signInDomain.findFirst({ where: { workspace_id, domain, verified_at: { not: null } } })
        : null
      const domainRole: Role | null = claim ? claim.role : null
      const roles = GroupRoles.shape.roles.parse(rules.roles)
      const next = roleAfterSignIn(member, { ...rules, roles }, groups, domainRole)
      if (next.role === member.role && next.role_from === member.role_from) return false
      await giveRole(tx, member, { ...next, version: { increment: 1 } })
      return next.role !== member.role
    })
    if (changed) await recordInWorkspace({ workspace_id }, { user_id }, 'followGroups', now)
  }
}

import { asRecord } from '#lib/domain/text/record'
import { ROLES, type Role } from '#lib/domain/workspaces/roles'

/** What somebody becomes who joins by the domain of their address. */
export const JOINING_ROLES = ['member', 'viewer'] as const satisfies Role[]

/** What a group may give: nobody becomes an owner from outside, and a client needs campaigns to see. */
export const GROUP_ROLES = ['admin', 'member', 'viewer'] as const satisfies Role[]

export type GroupRole = { group: string; role: (typeof GROUP_ROLES)[number] }
export type GroupRules = { roles: readonly GroupRole[]; includes_invited: boolean }
/** Whose role: given by hand, or by the provider. */
export type RoleHeld = { role: Role; role_from: 'hand' | 'provider' }

/**
 * The role that somebody has after a sign-in with these groups. Owners stay owners. What was given by hand stays, unless the
 * rules include it and a group says something; from then on it follows. Of several groups the highest role counts; without
 * any that is named, as after a rule was removed, a role from the provider falls back to what the domain of the address gives.
 */
export function roleAfterSignIn(
  held: RoleHeld,
  { roles, includes_invited }: GroupRules,
  groups: readonly string[],
  domainRole: Role | null,
): RoleHeld {
  if (held.role === 'owner') return held
  if (held.role_from === 'hand' && !includes_invited) return held
  const has = new Set(groups)
  const given = new Set<Role>(roles.filter(({ group }) => has.has(group)).map(({ role }) => role))
  const highest = ROLES.find((role) => given.has(role))
  if (highest) return { role: highest, role_from: 'provider' }
  return held.role_from === 'provider' ? { ...held, role: domainRole ?? 'viewer' } : held
}

/** No rule names a longer one. */
const LONGEST_GROUP = 256

/**
 * The groups that a token names, where its claim is a list of texts or one text. Without the claim there are none: providers
 * leave it out for somebody who is in none, and who left their last group must not keep what it gave. Null where it says nothing
 * that could be believed, or was left out because it was too long: then no role is touched.
 */
export function readGroups(claims: Readonly<Record<string, unknown>>, claim: string): string[] | null {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined
  if (value === undefined || value === null || value === '') return isLeftOut(claims, claim) ? null : []
  const list: unknown[] = Array.isArray(value) ? value : [value]
  if (!list.every((group) => typeof group === 'string')) return null
  return list.filter((group) => group !== '' && group.length <= LONGEST_GROUP)
}

/** OpenID Connect Core 5.6.2, as Microsoft uses it for people in more than 200 groups. */
const isLeftOut = (claims: Readonly<Record<string, unknown>>, claim: string): boolean =>
  Object.hasOwn(asRecord(claims._claim_names), claim) || (claim === 'groups' && claims.hasgroups === true)

import { asRecord } from '#lib/domain/text/record'
import { ROLES, type Role } from '#lib/domain/workspaces/roles'

/** The roles of people who join by the domain of their address. */
export const JOINING_ROLES = ['member', 'viewer'] as const satisfies Role[]

/** The roles that a group may give: an owner is never made from outside, and a client needs selected campaigns. */
export const GROUP_ROLES = ['admin', 'member', 'viewer'] as const satisfies Role[]

export type GroupRole = { group: string; role: (typeof GROUP_ROLES)[number] }
export type GroupRules = { roles: readonly GroupRole[]; includes_invited: boolean }
/** A role, and whether a person or the provider assigned it. */
export type RoleHeld = { role: Role; role_from: 'hand' | 'provider' }

/**
 * The role after a sign-in with these groups. Owners stay owners. A role given by hand stays, unless the rules include it and a
 * group gives a role; from then on it follows the groups. Of several groups the highest role counts. If no rule names any of the
 * groups, for example after a rule was removed, a role from the provider falls back to the one that the domain of the address
 * gives.
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

/** The longest group name in a rule. */
const LONGEST_GROUP = 256

/**
 * The groups in a token, if its claim is a list of texts or one text. Without the claim the list is empty: providers leave it
 * out for a person without groups, and a person who left their last group must not keep its role. Null if the claim is unusable,
 * or was left out because it was too long: then no role is changed.
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

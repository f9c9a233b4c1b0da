import type { Contract } from '#lib/contracts/contract'
import { permissionFor } from '#lib/contracts/permissions'
import { asRecord } from '#lib/domain/text/record'
import { askFor, isRoleEnough, RIGHTS, type Role } from '#lib/domain/workspaces/roles'

type Judged = Pick<Contract, 'tag' | 'scope' | 'role'>

/** The least role that an operation needs; null where every one may. */
export function neededRole(contract: Judged): Role | null {
  if (contract.role) return contract.role
  const permission = permissionFor(contract)
  return permission && RIGHTS[permission.resource][permission.verb]
}

/** Why somebody's role does not suffice for an operation, and whom to ask; null where it does. */
export function roleRefusal(role: Role, contract: Judged): string | null {
  const needed = neededRole(contract)
  return needed && !isRoleEnough(role, needed) ? askFor(needed) : null
}

/** What of the dashboard takes more than to read the workspace, or less; the longest beginning of a path decides. */
const PAGES: readonly [string, Role][] = [
  ['/api-keys', 'admin'],
  ['/webhooks', 'admin'],
  ['/settings/billing', 'admin'],
  ['/settings/audit', 'admin'],
  ['/settings/account', 'client'],
  ['/settings/security', 'client'],
  ['/ask-admin', 'client'],
  ['/w', 'client'],
]

/** The role that somebody lacks for a page of the dashboard; null where theirs suffices. */
export function roleForPage(role: Role, path: string): Role | null {
  const rule = PAGES.find(
    ([start]) => path === start || (/^[/?]/.test(path.slice(start.length)) && path.startsWith(start)),
  )
  const needed = rule?.[1] ?? 'viewer'
  return isRoleEnough(role, needed) ? null : needed
}

/** The campaign that an operation changes, where its path names one. */
export function changedCampaign({ scope }: Judged, params: unknown): string | null {
  const { campaign_id } = asRecord(params)
  return scope !== 'read' && typeof campaign_id === 'string' ? campaign_id : null
}

export const isAdmin = (role: Role): boolean => isRoleEnough(role, 'admin')

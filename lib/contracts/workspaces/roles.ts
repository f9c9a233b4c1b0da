import type { Contract } from '#lib/contracts/contract'
import { permissionFor } from '#lib/contracts/permissions'
import { asRecord } from '#lib/domain/text/record'
import { askFor, isRoleEnough, RIGHTS, type Role } from '#lib/domain/workspaces/roles'

export type Judged = Pick<Contract, 'tag' | 'scope' | 'role'>

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

/** The campaign that an operation changes, where its path names one. */
export function changedCampaign({ scope }: Judged, params: unknown): string | null {
  const { campaign_id } = asRecord(params)
  return scope !== 'read' && typeof campaign_id === 'string' ? campaign_id : null
}

export const isAdmin = (role: Role): boolean => isRoleEnough(role, 'admin')

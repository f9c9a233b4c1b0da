import type { Contract } from '#lib/contracts/contract'
import { permissionFor } from '#lib/contracts/permissions'
import { asRecord } from '#lib/domain/text/record'
import { type Changed, isWorkName, notYours, type WorkName } from '#lib/domain/workspaces/others-work'
import {
  askFor,
  changesOwnOnly,
  isRoleEnough,
  RIGHTS,
  type Role,
  roleOfKey,
  seesChosenOnly,
} from '#lib/domain/workspaces/roles'

export type Judged = Pick<Contract, 'tag' | 'scope' | 'role' | 'shared' | 'changes'>

/** The least role that an operation needs; null if every role may call it. */
export function neededRole(contract: Judged): Role | null {
  if (contract.role) return contract.role
  const permission = permissionFor(contract)
  return permission && RIGHTS[permission.resource][permission.verb]
}

/** Why a role does not suffice for an operation, and whom to ask; null if it suffices. */
export function roleRefusal(role: Role, contract: Judged): string | null {
  const needed = neededRole(contract)
  return needed && !isRoleEnough(role, needed) ? askFor(needed) : null
}

/** Who owns a conversation matters only to operations that send in it. */
const isNamedFor = ({ scope }: Judged, name: WorkName): boolean => name !== 'thread_id' || scope === 'send'

/** The same for an operation on a campaign that another member may own. */
export function campaignRefusal(role: Role, contract: Judged, isMine: boolean): string | null {
  const isOthers = changesOwnOnly(role) && !isMine && !contract.shared
  return roleRefusal(role, contract) ?? (isOthers ? notYours('campaign_id') : null)
}

const namedIn = (contract: Judged, values: Record<string, unknown>, names: readonly string[]): Changed[] =>
  names.flatMap((written) => {
    const name = written === 'id' && contract.tag === 'Sender profiles' ? 'sender_profile_id' : written
    const id = values[written]
    return isWorkName(name) && typeof id === 'string' && isNamedFor(contract, name) ? [{ name, id }] : []
  })

/**
 * The objects that an operation changes and another member may have made: all that its path names, and what `changes` names in
 * its body.
 */
export function changedWork(
  contract: Judged,
  { params, body }: { params: unknown; body: unknown },
): Changed[] {
  if (contract.scope === null || contract.scope === 'read' || contract.shared) return []
  const inPath = asRecord(params)
  return [
    ...namedIn(contract, inPath, Object.keys(inPath)),
    ...namedIn(contract, asRecord(body), contract.changes ?? []),
  ]
}

export const isAdmin = (role: Role): boolean => isRoleEnough(role, 'admin')

export const isClient = seesChosenOnly

export const isOwnOnly = changesOwnOnly

/** The lesser of the role at admission and the current one: rights never grow afterwards. */
export const lesserRole = (now: Role, before: Role): Role => roleOfKey(now, before)

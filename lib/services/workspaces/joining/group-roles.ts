import type { z } from 'zod'
import { GroupRoles, type ReplaceGroupRoles } from '#lib/contracts/workspaces/group-roles'
import { db } from '#lib/db/client'
import { env } from '#lib/env'
import { type Here, requireHere } from '#lib/services/instance/turn'
import { edit } from '#lib/services/instance/versioned-edit'

const NONE = { roles: [], includes_invited: false, version: 1 }

export async function readGroupRoles(user: Here, workspaceId: string): Promise<GroupRoles> {
  requireHere(user, workspaceId)
  const row = await db.groupRoles.findUnique({ where: { workspace_id: workspaceId } })
  return toGroupRoles({ workspace_id: workspaceId, ...(row ?? NONE) })
}

const toGroupRoles = (row: { workspace_id: string; roles: unknown }) =>
  GroupRoles.parse({ ...row, claim: env().OIDC_GROUPS_CLAIM })

export async function replaceGroupRoles(
  user: Here,
  workspaceId: string,
  { version, roles, includes_invited }: z.output<typeof ReplaceGroupRoles.body>,
) {
  requireHere(user, workspaceId)
  const key = { workspace_id: workspaceId }
  const data = { roles, ...(includes_invited !== undefined && { includes_invited }) }
  const row = await edit({
    table: 'group_roles',
    key,
    version,
    missing: 'workspace_not_found',
    current: () => readGroupRoles(user, workspaceId),
    first: (tx) => tx.groupRoles.createMany({ data: key, skipDuplicates: true }),
    write: (tx) => tx.groupRoles.update({ where: key, data }),
  })
  return toGroupRoles(row)
}

import { ReadGroupRoles, ReplaceGroupRoles } from '#lib/contracts/workspaces/group-roles'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/workspaces/joining/group-roles'

export const readGroupRoles = operation(ReadGroupRoles, ({ user, params }) =>
  service.readGroupRoles(user, params.workspace_id),
)
export const replaceGroupRoles = operation(ReplaceGroupRoles, ({ user, params, body }) =>
  service.replaceGroupRoles(user, params.workspace_id, body),
)

import { EraseWorkspace, PrepareWorkspaceErasure } from '#lib/contracts/workspaces/erasure'
import {
  CreateWorkspace,
  ListWorkspaces,
  ReadWorkspace,
  UpdateWorkspace,
} from '#lib/contracts/workspaces/workspaces'
import { operation } from '#lib/operations/operation'
import * as erasure from '#lib/services/workspaces/leaving/workspace-erasure'
import * as service from '#lib/services/workspaces/workspaces'

export const listWorkspaces = operation(ListWorkspaces, ({ user, query }) =>
  service.listWorkspaces(user.user_id, query),
)
export const createWorkspace = operation(CreateWorkspace, ({ user, body }) =>
  service.createWorkspace(user.user_id, body.name),
)
export const readWorkspace = operation(ReadWorkspace, ({ user, params }) =>
  service.readWorkspace(user, params.workspace_id),
)
export const updateWorkspace = operation(UpdateWorkspace, ({ user, params, body }) =>
  service.updateWorkspace(user, params.workspace_id, body),
)
export const prepareWorkspaceErasure = operation(PrepareWorkspaceErasure, ({ user, params, now }) =>
  erasure.prepareWorkspaceErasure(user, params.workspace_id, now),
)
export const eraseWorkspace = operation(EraseWorkspace, ({ user, params, body, now }) =>
  erasure.eraseWorkspace(user, params.workspace_id, body, now),
)

import {
  CreateWorkspace,
  ListWorkspaces,
  ReadWorkspace,
  UpdateWorkspace,
} from '#lib/contracts/workspaces/workspaces'
import { operation } from '#lib/operations/operation'
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

import {
  CreateWorkspaceImport,
  ReadWorkspaceImport,
  StartWorkspaceImport,
} from '#lib/contracts/workspaces/workspaces'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/workspaces/archive/imports'

export const createWorkspaceImport = operation(CreateWorkspaceImport, ({ user, body, now }) =>
  service.createImport(user, body, now),
)
export const startWorkspaceImport = operation(StartWorkspaceImport, ({ user, params, now }) =>
  service.startImport(user, params.import_id, now),
)
export const readWorkspaceImport = operation(ReadWorkspaceImport, ({ user, params }) =>
  service.readImport(user, params.import_id),
)

import {
  CreateApiKey,
  ListApiKeys,
  RevokeApiKey,
  RollApiKey,
  UpdateApiKey,
} from '#lib/contracts/workspaces/api-keys'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/workspaces/api-keys'

export const listApiKeys = operation(ListApiKeys, ({ user, now }) =>
  service.listApiKeys(user.workspace_id, now),
)
export const createApiKey = operation(CreateApiKey, ({ user, body, now }) =>
  service.createApiKey(user, body, now),
)
export const updateApiKey = operation(UpdateApiKey, ({ user, params, body, now }) =>
  service.updateApiKey(user, params.id, body, now),
)
export const rollApiKey = operation(RollApiKey, ({ user, params, body, now }) =>
  service.rollApiKey(user, params.id, body.overlap_hours, now),
)
export const revokeApiKey = operation(RevokeApiKey, ({ user, params, now }) =>
  service.revokeApiKey(user.workspace_id, params.id, now),
)

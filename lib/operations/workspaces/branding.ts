import { ReadBranding, UpdateBranding } from '#lib/contracts/workspaces/branding'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/workspaces/branding'

export const readBranding = operation(ReadBranding, ({ user, params }) =>
  service.readBranding(user, params.workspace_id),
)
export const updateBranding = operation(UpdateBranding, ({ user, params, body }) =>
  service.updateBranding(user, params.workspace_id, body),
)

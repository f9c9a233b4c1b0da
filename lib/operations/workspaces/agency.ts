import { LeaveParent, ReadAgency, SetParent, UpdateAgency } from '#lib/contracts/workspaces/agency'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/workspaces/joining/parent'

export const readAgency = operation(ReadAgency, ({ user, params }) =>
  service.readAgency(user, params.workspace_id),
)
export const updateAgency = operation(UpdateAgency, ({ user, params, body }) =>
  service.updateAgency(user, params.workspace_id, body),
)
export const setParent = operation(SetParent, ({ user, params, body }) =>
  service.setParent(user, params.workspace_id, body),
)
export const leaveParent = operation(LeaveParent, ({ user, params, query, now }) =>
  service.leaveParent(user, params.workspace_id, query, now),
)

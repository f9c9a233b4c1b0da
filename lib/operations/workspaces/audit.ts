import { ListAuditEvents } from '#lib/contracts/workspaces/audit'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/workspaces/audit'

export const listAuditEvents = operation(ListAuditEvents, ({ user, query }) =>
  service.listAuditEvents(user.workspace_id, query),
)

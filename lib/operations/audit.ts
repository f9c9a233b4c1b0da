import { ListAuditEvents } from '#lib/contracts/audit'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/audit'

export const listAuditEvents = operation(ListAuditEvents, ({ user, query }) =>
  service.listAuditEvents(user.user_id, query),
)

import { ListSessions, RevokeOtherSessions, RevokeSession } from '#lib/contracts/workspaces/sessions'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/workspaces/sign-in/sessions'

export const listSessions = operation(ListSessions, ({ user, query, now }) =>
  service.listSessions(user.user_id, query, now),
)
export const revokeSession = operation(RevokeSession, ({ user, params, now }) =>
  service.revokeSession(user.user_id, params.session_id, now),
)
export const revokeOtherSessions = operation(RevokeOtherSessions, ({ user, now }) =>
  service.closeOtherSessions(user.user_id, user.session_id, now),
)

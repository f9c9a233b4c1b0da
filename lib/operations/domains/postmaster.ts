import {
  AuthorizePostmaster,
  CompletePostmaster,
  DisconnectPostmaster,
  ReadPostmaster,
} from '#lib/contracts/domains/postmaster'
import { operation } from '#lib/operations/operation'
import * as accounts from '#lib/services/domains/postmaster/accounts'
import { postmasterSummary } from '#lib/services/domains/postmaster/summary'

export const readPostmaster = operation(ReadPostmaster, ({ user, params, now }) =>
  postmasterSummary(user.workspace_id, params.domain_id, now),
)
export const authorizePostmaster = operation(AuthorizePostmaster, ({ user, body, now }) =>
  accounts.authorizePostmaster(user, body.domain_id, now),
)
export const completePostmaster = operation(CompletePostmaster, ({ user, body, now }) =>
  accounts.completePostmaster(user, body.query, now),
)
export const disconnectPostmaster = operation(DisconnectPostmaster, ({ user }) =>
  accounts.disconnectPostmaster(user.workspace_id),
)

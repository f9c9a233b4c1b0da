import {
  CreateAuthLink,
  DisconnectAccount,
  ListConnectedAccounts,
  ReadConnectedAccount,
  ReconnectAccount,
  UpdateConnectedAccount,
} from '#lib/contracts/senders/connected-accounts'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/social/connected-accounts'
import * as connections from '#lib/services/social/connections'

export const createAuthLink = operation(CreateAuthLink, ({ user, body, now }) =>
  connections.createAuthLink(user.workspace_id, body, now),
)
export const listConnectedAccounts = operation(ListConnectedAccounts, ({ user, query, now }) =>
  service.listConnectedAccounts(user.workspace_id, query, now),
)
export const readConnectedAccount = operation(ReadConnectedAccount, ({ user, params, now }) =>
  service.readConnectedAccount(user.workspace_id, params.account_id, now),
)
export const updateConnectedAccount = operation(UpdateConnectedAccount, ({ user, params, body, now }) =>
  service.updateConnectedAccount(user.workspace_id, params.account_id, body, now),
)
export const reconnectAccount = operation(ReconnectAccount, ({ user, params, body, now }) =>
  connections.reconnectAccount(user.workspace_id, params.account_id, body.return_path, now),
)
export const disconnectAccount = operation(DisconnectAccount, ({ user, params }) =>
  service.disconnectAccount(user.workspace_id, params.account_id),
)

import { DisconnectIdentity, ListIdentities } from '#lib/contracts/workspaces/identities'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/workspaces/sign-in/identities'

export const listIdentities = operation(ListIdentities, ({ user, query }) =>
  service.listIdentities(user.user_id, query),
)
export const disconnectIdentity = operation(DisconnectIdentity, ({ user, params, now }) =>
  service.disconnectIdentity(user, params.identity_id, now),
)

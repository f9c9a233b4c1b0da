import { ConnectSnds, DisconnectSnds, ReadSnds } from '#lib/contracts/domains/snds'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/domains/snds/accounts'
import { sndsSummary } from '#lib/services/domains/snds/summary'

export const readSnds = operation(ReadSnds, ({ user, now }) => sndsSummary(user.workspace_id, now))
export const connectSnds = operation(ConnectSnds, ({ user, body, now }) =>
  service.connectSnds(user.workspace_id, body.key, now),
)
export const disconnectSnds = operation(DisconnectSnds, ({ user }) =>
  service.disconnectSnds(user.workspace_id),
)

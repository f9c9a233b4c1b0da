import { ProveIdentity, StartProof } from '#lib/contracts/workspaces/proof'
import { operation } from '#lib/operations/operation'
import { askForPasskey } from '#lib/services/workspaces/sign-in/by-passkey'
import * as service from '#lib/services/workspaces/sign-in/recent-proof'

export const startProof = operation(StartProof, ({ user, now }) =>
  askForPasskey({ purpose: 'confirm', user_id: user.user_id }, now),
)
export const proveIdentity = operation(ProveIdentity, ({ user, body, now }) =>
  service.proveIdentity(user, body, now),
)

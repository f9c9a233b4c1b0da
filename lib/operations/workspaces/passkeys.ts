import {
  AddPasskey,
  ListPasskeys,
  RemovePasskey,
  RenamePasskey,
  StartPasskey,
} from '#lib/contracts/workspaces/passkeys'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/workspaces/sign-in/passkeys'

export const listPasskeys = operation(ListPasskeys, ({ user, query }) =>
  service.listPasskeys(user.user_id, query),
)
export const startPasskey = operation(StartPasskey, ({ user, now }) => service.startPasskey(user, now))
export const addPasskey = operation(AddPasskey, ({ user, body, now }) =>
  service.addPasskey(user.user_id, body, now),
)
export const renamePasskey = operation(RenamePasskey, ({ user, params, body }) =>
  service.renamePasskey(user.user_id, params.passkey_id, body),
)
export const removePasskey = operation(RemovePasskey, ({ user, params, now }) =>
  service.removePasskey(user, params.passkey_id, now),
)

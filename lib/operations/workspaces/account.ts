import {
  ChangePassword,
  ExportAccount,
  ReadAccount,
  RemovePassword,
  UpdateAccount,
} from '#lib/contracts/workspaces/account'
import { EraseAccount, PrepareErasure } from '#lib/contracts/workspaces/erasure'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/workspaces/account'
import { exportEverything } from '#lib/services/workspaces/archive/account-export'
import * as erasure from '#lib/services/workspaces/erasure'
import * as passwords from '#lib/services/workspaces/sign-in/passwords'

export const readAccount = operation(ReadAccount, ({ user }) => service.getAccount(user))
export const updateAccount = operation(UpdateAccount, ({ user, body, now }) =>
  service.updateAccount(user, body, now),
)
export const changePassword = operation(ChangePassword, ({ user, body, now }) =>
  passwords.changePassword(user, body, now),
)
export const removePassword = operation(RemovePassword, ({ user, now }) =>
  passwords.removePassword(user, now),
)
export const exportAccount = operation(ExportAccount, async ({ user, now }) => exportEverything(user, now))
export const prepareErasure = operation(PrepareErasure, ({ user, now }) =>
  erasure.prepareErasure(user.user_id, now),
)
export const eraseAccount = operation(EraseAccount, ({ user, body, now }) =>
  erasure.eraseAccount(user.user_id, body, now),
)

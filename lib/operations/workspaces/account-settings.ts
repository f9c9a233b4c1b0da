import { ReadAccountSettings, UpdateAccountSettings } from '#lib/contracts/workspaces/account-settings'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/workspaces/account-settings'

export const readAccountSettings = operation(ReadAccountSettings, ({ user }) =>
  service.getAccountSettings(user),
)
export const updateAccountSettings = operation(UpdateAccountSettings, ({ user, body }) =>
  service.updateAccountSettings(user, body),
)

import { ReadAccountSettings, UpdateAccountSettings } from '#lib/contracts/workspaces/account-settings'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/workspaces/account-settings'

export const readAccountSettings = operation(ReadAccountSettings, ({ user, now }) =>
  service.getAccountSettings(user, now),
)
export const updateAccountSettings = operation(UpdateAccountSettings, ({ user, body, now }) =>
  service.updateAccountSettings(user, body, now),
)

import {
  ReadSecondFactor,
  ReplaceRecoveryCodes,
  StartSecondFactor,
  TurnOffSecondFactor,
  TurnOnSecondFactor,
} from '#lib/contracts/workspaces/second-factor'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/workspaces/sign-in/second-factor-settings'

export const readSecondFactor = operation(ReadSecondFactor, ({ user }) =>
  service.readSecondFactor(user.user_id),
)
export const startSecondFactor = operation(StartSecondFactor, ({ user, now }) =>
  service.startSecondFactor(user, now),
)
export const turnOnSecondFactor = operation(TurnOnSecondFactor, ({ user, body, now }) =>
  service.turnOnSecondFactor(user.user_id, body.code, now),
)
export const turnOffSecondFactor = operation(TurnOffSecondFactor, ({ user, now }) =>
  service.turnOffSecondFactor(user, now),
)
export const replaceRecoveryCodes = operation(ReplaceRecoveryCodes, ({ user, now }) =>
  service.replaceRecoveryCodes(user, now),
)

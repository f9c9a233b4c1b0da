import { ReadSenderProfileUse } from '#lib/contracts/messages/profile-use'
import { operation } from '#lib/operations/operation'
import { profileUse } from '#lib/services/messages/profile-use'

export const readSenderProfileUse = operation(ReadSenderProfileUse, ({ user, params, now }) =>
  profileUse(user.workspace_id, params.id, now),
)

import { ListSandboxMessages, ReadSandboxMessage } from '#lib/contracts/sandbox'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/sandbox-mail'

export const listSandboxMessages = operation(ListSandboxMessages, ({ user, query }) =>
  service.listSandboxMessages(user.user_id, query),
)
export const readSandboxMessage = operation(ReadSandboxMessage, ({ user, params }) =>
  service.readSandboxMessage(user.user_id, params.sandbox_message_id),
)

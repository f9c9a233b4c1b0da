import {
  ActInSandboxNetwork,
  AnswerSandboxMessage,
  ListSandboxMessages,
  ReadSandboxMessage,
} from '#lib/contracts/sandbox/sandbox'
import { operation } from '#lib/operations/operation'
import { actInSandboxNetwork as play } from '#lib/services/sandbox/network'
import { answerSandboxMessage as answer } from '#lib/services/sandbox/replies'
import * as service from '#lib/services/senders/sandbox'

export const listSandboxMessages = operation(ListSandboxMessages, ({ user, query }) =>
  service.listSandboxMessages(user.workspace_id, query),
)
export const readSandboxMessage = operation(ReadSandboxMessage, ({ user, params }) =>
  service.readSandboxMessage(user.workspace_id, params.sandbox_message_id),
)
export const answerSandboxMessage = operation(AnswerSandboxMessage, ({ user, params, body, now }) =>
  answer(user.workspace_id, params.sandbox_message_id, body, now),
)
export const actInSandboxNetwork = operation(ActInSandboxNetwork, ({ user, body, now }) =>
  play(user.workspace_id, body, now),
)

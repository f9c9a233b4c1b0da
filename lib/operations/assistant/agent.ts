import {
  AgentChat,
  DeleteConversation,
  ListConversations,
  ReadConversation,
  UpdateConversation,
} from '#lib/contracts/assistant/agent'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/assistant/conversations'
import { openTurn } from '#lib/services/assistant/turns'
import { configuredWriter } from '#lib/services/personalize/writer'
import { requireAiBudget } from '#lib/services/workspaces/ai-budget'

/** Stores the user's message and their decisions on approvals; the route streams the answer. */
export const agentChat = operation(AgentChat, async ({ user, body, now }) => {
  await requireAiBudget(configuredWriter(), user.workspace_id, now)
  return openTurn(user, body, now)
})

export const listConversations = operation(ListConversations, ({ user, query }) =>
  service.listConversations(user, query),
)
export const readConversation = operation(ReadConversation, ({ user, params }) =>
  service.readConversation(user, params.thread_id),
)
export const updateConversation = operation(UpdateConversation, ({ user, params, body, now }) =>
  service.updateConversation(user, params.thread_id, body, now),
)
export const deleteConversation = operation(DeleteConversation, ({ user, params }) =>
  service.deleteConversation(user, params.thread_id),
)

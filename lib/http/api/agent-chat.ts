import { assistantWriter } from '#lib/agent/model'
import type { AgentChat } from '#lib/contracts/assistant/agent'
import type { Input } from '#lib/contracts/contract'
import { createToolbox } from '#lib/http/mcp/toolbox'
import type { Streaming } from '#lib/http/route'
import type { Turn } from '#lib/services/assistant/turns'
import { withinAiBudget } from '#lib/services/workspaces/ai-budget'

type Body = Input<typeof AgentChat>['body']

/** The assistant's answer as it is written: the one operation that is streamed. */
export const talk: Streaming<{ thread_id: string }> = async (turn, { user, body, now, signal }) => {
  // Loaded at the first conversation.
  const { chat } = await import('#lib/agent/chat')
  return chat({
    model: withinAiBudget(assistantWriter(), user.workspace_id).model,
    // The contract declares only the beginning of the stream; the service returns the whole turn.
    turn: turn as Turn,
    toolbox: createToolbox(user),
    page: (body as Body).page_context,
    now,
    signal,
  })
}

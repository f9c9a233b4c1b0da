import { chat } from '#lib/agent/chat'
import { assistantModel } from '#lib/agent/model'
import type { AgentChat } from '#lib/contracts/assistant/agent'
import type { Input } from '#lib/contracts/contract'
import { toolboxOf } from '#lib/http/mcp/toolbox'
import { routes, streamed } from '#lib/http/route'
import { agentChat } from '#lib/operations/assistant/agent'
import type { Turn } from '#lib/services/assistant/turns'

type Body = Input<typeof AgentChat>['body']

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  streamed(agentChat, (turn, { user, body, now, signal }) =>
    chat({
      model: assistantModel(),
      turn: turn as Turn,
      toolbox: toolboxOf(user),
      page: (body as Body).page_context,
      now,
      signal,
    }),
  ),
)

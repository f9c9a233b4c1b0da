import { talk } from '#lib/http/api/agent-chat'
import { routes, streamed } from '#lib/http/route'
import { agentChat } from '#lib/operations/assistant/agent'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(streamed(agentChat, talk))

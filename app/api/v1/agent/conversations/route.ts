import { routes } from '#lib/http/route'
import { listConversations } from '#lib/operations/assistant/agent'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listConversations)

import { routes } from '#lib/http/route'
import { listConversations } from '#lib/operations/agent'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listConversations)

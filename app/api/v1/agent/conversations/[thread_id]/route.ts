import { routes } from '#lib/http/route'
import { deleteConversation, readConversation, updateConversation } from '#lib/operations/assistant/agent'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  deleteConversation,
  readConversation,
  updateConversation,
)

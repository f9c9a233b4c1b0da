import { routes } from '#lib/http/route'
import { deleteConversation, readConversation, updateConversation } from '#lib/operations/agent'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  deleteConversation,
  readConversation,
  updateConversation,
)

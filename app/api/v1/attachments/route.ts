import { routes } from '#lib/http/route'
import { createAttachment } from '#lib/operations/messages/attachments'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(createAttachment)

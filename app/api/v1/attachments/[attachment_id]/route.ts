import { routes } from '#lib/http/route'
import { readAttachment } from '#lib/operations/messages/attachments'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readAttachment)

import { routes } from '#lib/http/route'
import { createAttachmentFromUpload } from '#lib/operations/messages/attachments'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(createAttachmentFromUpload)

import { routes } from '#lib/http/route'
import { previewText } from '#lib/operations/messages/templates'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(previewText)

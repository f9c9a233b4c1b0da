import { routes } from '#lib/http/route'
import { createTemplate, listTemplates } from '#lib/operations/messages/templates'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(createTemplate, listTemplates)

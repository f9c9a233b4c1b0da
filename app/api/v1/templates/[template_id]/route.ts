import { routes } from '#lib/http/route'
import { deleteTemplate, readTemplate, updateTemplate } from '#lib/operations/messages/templates'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(deleteTemplate, readTemplate, updateTemplate)

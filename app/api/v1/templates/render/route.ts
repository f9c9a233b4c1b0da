import { routes } from '#lib/http/route'
import { renderTemplate } from '#lib/operations/messages/templates'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(renderTemplate)

import { routes } from '#lib/http/route'
import { readInboxTemplate } from '#lib/operations/inbox/inbox'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readInboxTemplate)

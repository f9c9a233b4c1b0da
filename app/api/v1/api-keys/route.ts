import { routes } from '#lib/http/route'
import { createApiKey, listApiKeys } from '#lib/operations/workspaces/api-keys'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(createApiKey, listApiKeys)

import { routes } from '#lib/http/route'
import { revokeApiKey, updateApiKey } from '#lib/operations/workspaces/api-keys'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(revokeApiKey, updateApiKey)

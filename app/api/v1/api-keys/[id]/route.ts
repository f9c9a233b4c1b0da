import { routes } from '#lib/http/route'
import { revokeApiKey } from '#lib/operations/api-keys'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(revokeApiKey)

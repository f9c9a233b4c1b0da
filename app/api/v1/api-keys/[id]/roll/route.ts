import { routes } from '#lib/http/route'
import { rollApiKey } from '#lib/operations/workspaces/api-keys'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(rollApiKey)

import { routes } from '#lib/http/route'
import { disconnectIdentity } from '#lib/operations/workspaces/identities'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(disconnectIdentity)

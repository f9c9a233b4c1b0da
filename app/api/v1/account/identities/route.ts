import { routes } from '#lib/http/route'
import { listIdentities } from '#lib/operations/workspaces/identities'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listIdentities)

import { routes } from '#lib/http/route'
import { proveIdentity } from '#lib/operations/workspaces/proof'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(proveIdentity)

import { routes } from '#lib/http/route'
import { verifyCredential } from '#lib/operations/workspaces/auth'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(verifyCredential)

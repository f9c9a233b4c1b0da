import { routes } from '#lib/http/route'
import { readCurrentUser } from '#lib/operations/workspaces/auth'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readCurrentUser)

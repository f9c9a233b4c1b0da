import { routes } from '#lib/http/route'
import { handOnWorkspace } from '#lib/operations/workspaces/members'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(handOnWorkspace)

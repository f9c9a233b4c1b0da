import { routes } from '#lib/http/route'
import { leaveWorkspace } from '#lib/operations/workspaces/members'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(leaveWorkspace)

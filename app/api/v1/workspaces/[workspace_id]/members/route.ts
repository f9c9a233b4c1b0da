import { routes } from '#lib/http/route'
import { listMembers } from '#lib/operations/workspaces/members'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listMembers)

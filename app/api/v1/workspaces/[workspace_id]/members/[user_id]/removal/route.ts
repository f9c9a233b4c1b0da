import { routes } from '#lib/http/route'
import { readMemberRemoval } from '#lib/operations/workspaces/members'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readMemberRemoval)

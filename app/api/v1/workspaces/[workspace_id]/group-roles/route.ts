import { routes } from '#lib/http/route'
import { readGroupRoles, replaceGroupRoles } from '#lib/operations/workspaces/group-roles'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readGroupRoles, replaceGroupRoles)

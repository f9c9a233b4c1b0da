import { routes } from '#lib/http/route'
import { removeMember, updateMember } from '#lib/operations/workspaces/members'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(updateMember, removeMember)

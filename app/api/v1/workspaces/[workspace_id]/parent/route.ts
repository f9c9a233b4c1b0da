import { routes } from '#lib/http/route'
import { leaveParent, setParent } from '#lib/operations/workspaces/agency'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(setParent, leaveParent)

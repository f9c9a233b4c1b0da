import { routes } from '#lib/http/route'
import { listSessions, revokeOtherSessions } from '#lib/operations/workspaces/sessions'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listSessions, revokeOtherSessions)

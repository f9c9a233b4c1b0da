import { routes } from '#lib/http/route'
import { acceptInvitation } from '#lib/operations/workspaces/invitations'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(acceptInvitation)

import { routes } from '#lib/http/route'
import { resendInvitation } from '#lib/operations/workspaces/invitations'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(resendInvitation)

import { routes } from '#lib/http/route'
import { createInvitation, listInvitations } from '#lib/operations/workspaces/invitations'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listInvitations, createInvitation)

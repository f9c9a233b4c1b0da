import { routes } from '#lib/http/route'
import { connectOrganizationMailboxes } from '#lib/operations/senders/mail-organizations'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(connectOrganizationMailboxes)

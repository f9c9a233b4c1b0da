import { routes } from '#lib/http/route'
import { listAccountMembers } from '#lib/operations/senders/sender-members'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listAccountMembers)

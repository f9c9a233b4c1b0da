import { routes } from '#lib/http/route'
import { listMailboxMembers } from '#lib/operations/senders/sender-members'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listMailboxMembers)

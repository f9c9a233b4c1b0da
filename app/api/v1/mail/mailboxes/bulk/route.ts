import { routes } from '#lib/http/route'
import { connectMailboxes } from '#lib/operations/senders/mailboxes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(connectMailboxes)

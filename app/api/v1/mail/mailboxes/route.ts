import { routes } from '#lib/http/route'
import { createMailbox, listMailboxes } from '#lib/operations/senders/mailboxes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(createMailbox, listMailboxes)

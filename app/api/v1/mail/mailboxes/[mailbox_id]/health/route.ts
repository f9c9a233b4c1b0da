import { routes } from '#lib/http/route'
import { readMailboxHealth } from '#lib/operations/senders/mailbox-health'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readMailboxHealth)

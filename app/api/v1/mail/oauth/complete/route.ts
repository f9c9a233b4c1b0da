import { routes } from '#lib/http/route'
import { completeMailboxOAuth } from '#lib/operations/senders/mailbox-oauth'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(completeMailboxOAuth)

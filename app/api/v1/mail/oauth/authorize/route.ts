import { routes } from '#lib/http/route'
import { authorizeMailbox } from '#lib/operations/senders/mailbox-oauth'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(authorizeMailbox)

import { routes } from '#lib/http/route'
import { deleteMailbox, readMailbox, updateMailbox } from '#lib/operations/senders/mailboxes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(deleteMailbox, readMailbox, updateMailbox)

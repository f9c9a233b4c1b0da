import { routes } from '#lib/http/route'
import { deleteMailbox, readMailbox, updateMailbox } from '#lib/operations/mailboxes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(deleteMailbox, readMailbox, updateMailbox)

import { routes } from '#lib/http/route'
import { testMailbox } from '#lib/operations/mailboxes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(testMailbox)

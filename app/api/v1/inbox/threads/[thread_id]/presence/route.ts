import { routes } from '#lib/http/route'
import { reportInboxPresence } from '#lib/operations/inbox/inbox-presence'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(reportInboxPresence)

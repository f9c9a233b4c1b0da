import { routes } from '#lib/http/route'
import { readInboxPresence } from '#lib/operations/inbox/inbox-presence'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readInboxPresence)

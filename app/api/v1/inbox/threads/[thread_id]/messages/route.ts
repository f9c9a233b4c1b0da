import { routes } from '#lib/http/route'
import { readInboxMessages } from '#lib/operations/inbox/inbox'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readInboxMessages)

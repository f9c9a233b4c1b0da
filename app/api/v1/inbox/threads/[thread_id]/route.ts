import { routes } from '#lib/http/route'
import { readInboxThread, updateInboxThread } from '#lib/operations/inbox/inbox'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readInboxThread, updateInboxThread)

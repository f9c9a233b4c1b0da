import { routes } from '#lib/http/route'
import { listInboxThreads } from '#lib/operations/inbox'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listInboxThreads)

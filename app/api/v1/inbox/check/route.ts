import { routes } from '#lib/http/route'
import { checkInbox } from '#lib/operations/inbox/inbox'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(checkInbox)

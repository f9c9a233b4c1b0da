import { routes } from '#lib/http/route'
import { deleteInboxNote } from '#lib/operations/inbox/inbox-notes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(deleteInboxNote)

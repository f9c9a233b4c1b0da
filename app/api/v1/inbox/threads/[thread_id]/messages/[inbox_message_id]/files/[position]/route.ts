import { routes } from '#lib/http/route'
import { downloadInboxFile } from '#lib/operations/inbox/inbox'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(downloadInboxFile)

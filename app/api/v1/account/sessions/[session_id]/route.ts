import { routes } from '#lib/http/route'
import { revokeSession } from '#lib/operations/sessions'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(revokeSession)

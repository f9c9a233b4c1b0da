import { routes } from '#lib/http/route'
import { createAuthLink } from '#lib/operations/connected-accounts'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(createAuthLink)

import { routes } from '#lib/http/route'
import { createAuthLink } from '#lib/operations/senders/connected-accounts'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(createAuthLink)

import { routes } from '#lib/http/route'
import { disconnectPostmaster } from '#lib/operations/domains/postmaster'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(disconnectPostmaster)

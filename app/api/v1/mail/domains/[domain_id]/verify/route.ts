import { routes } from '#lib/http/route'
import { verifyDomain } from '#lib/operations/domains/domains'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(verifyDomain)

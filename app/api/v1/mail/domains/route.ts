import { routes } from '#lib/http/route'
import { createDomain, listDomains } from '#lib/operations/domains/domains'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(createDomain, listDomains)

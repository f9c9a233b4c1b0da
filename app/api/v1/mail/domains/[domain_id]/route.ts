import { routes } from '#lib/http/route'
import { deleteDomain, readDomain, updateDomain } from '#lib/operations/domains/domains'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(deleteDomain, readDomain, updateDomain)

import { routes } from '#lib/http/route'
import { readDomainRequirements } from '#lib/operations/domains'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readDomainRequirements)

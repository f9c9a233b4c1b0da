import { routes } from '#lib/http/route'
import { readDomainSetup } from '#lib/operations/domains/domains'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readDomainSetup)

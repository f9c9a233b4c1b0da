import { routes } from '#lib/http/route'
import { readCompany } from '#lib/operations/leads/companies'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readCompany)

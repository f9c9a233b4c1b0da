import { routes } from '#lib/http/route'
import { listCompanies } from '#lib/operations/leads/companies'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listCompanies)

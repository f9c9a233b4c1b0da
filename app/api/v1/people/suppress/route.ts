import { routes } from '#lib/http/route'
import { suppressPeople } from '#lib/operations/leads/people'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(suppressPeople)

import { routes } from '#lib/http/route'
import { listPeople } from '#lib/operations/leads/people'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listPeople)

import { routes } from '#lib/http/route'
import { tagPeople } from '#lib/operations/leads/people'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(tagPeople)

import { routes } from '#lib/http/route'
import { splitPerson } from '#lib/operations/leads/people'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(splitPerson)

import { routes } from '#lib/http/route'
import { readPerson, updatePerson } from '#lib/operations/leads/people'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readPerson, updatePerson)

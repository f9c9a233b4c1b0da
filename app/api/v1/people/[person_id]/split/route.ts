import { routes } from '#lib/http/route'
import { splitPerson } from '#lib/operations/people/people'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(splitPerson)

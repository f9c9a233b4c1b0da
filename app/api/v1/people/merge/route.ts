import { routes } from '#lib/http/route'
import { mergePeople } from '#lib/operations/leads/people'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(mergePeople)

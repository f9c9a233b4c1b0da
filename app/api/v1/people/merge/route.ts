import { routes } from '#lib/http/route'
import { mergePeople } from '#lib/operations/people/people'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(mergePeople)

import { routes } from '#lib/http/route'
import { addSuppressions, listSuppressions } from '#lib/operations/leads/suppressions'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(addSuppressions, listSuppressions)

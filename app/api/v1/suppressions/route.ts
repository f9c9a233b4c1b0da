import { routes } from '#lib/http/route'
import { addSuppressions, listSuppressions } from '#lib/operations/suppressions'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(addSuppressions, listSuppressions)

import { routes } from '#lib/http/route'
import { readSuppressionReasons } from '#lib/operations/leads/suppressions'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readSuppressionReasons)

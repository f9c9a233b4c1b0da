import { routes } from '#lib/http/route'
import { resolveUncertainAction } from '#lib/operations/leads/uncertain-actions'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(resolveUncertainAction)

import { routes } from '#lib/http/route'
import { resolveUncertainAction } from '#lib/operations/uncertain-actions'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(resolveUncertainAction)

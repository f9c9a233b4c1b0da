import { routes } from '#lib/http/route'
import { listUncertainActions } from '#lib/operations/leads/uncertain-actions'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listUncertainActions)

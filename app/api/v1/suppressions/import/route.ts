import { routes } from '#lib/http/route'
import { importSuppressions } from '#lib/operations/leads/suppressions'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(importSuppressions)

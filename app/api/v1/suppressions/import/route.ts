import { routes } from '#lib/http/route'
import { importSuppressions } from '#lib/operations/suppressions'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(importSuppressions)

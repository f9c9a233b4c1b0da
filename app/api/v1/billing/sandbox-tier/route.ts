import { routes } from '#lib/http/route'
import { chooseSandboxTier } from '#lib/operations/billing/billing'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(chooseSandboxTier)

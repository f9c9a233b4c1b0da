import { routes } from '#lib/http/route'
import { createPortalSession } from '#lib/operations/billing/billing'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(createPortalSession)

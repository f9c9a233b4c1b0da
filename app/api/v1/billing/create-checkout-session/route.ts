import { routes } from '#lib/http/route'
import { createCheckoutSession } from '#lib/operations/billing/billing'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(createCheckoutSession)

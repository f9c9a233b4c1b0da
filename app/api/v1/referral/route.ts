import { routes } from '#lib/http/route'
import { readReferral } from '#lib/operations/billing/billing'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readReferral)

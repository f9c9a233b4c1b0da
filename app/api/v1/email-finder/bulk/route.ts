import { routes } from '#lib/http/route'
import { findEmails } from '#lib/operations/enrichment/email-finder'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(findEmails)

import { routes } from '#lib/http/route'
import { listFoundEmails } from '#lib/operations/enrichment/email-finder'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listFoundEmails)

import { routes } from '#lib/http/route'
import { readDatasetVerification } from '#lib/operations/enrichment/verification'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readDatasetVerification)

import { routes } from '#lib/http/route'
import { cancelDatasetSession } from '#lib/operations/enrichment/dataset-sessions'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(cancelDatasetSession)

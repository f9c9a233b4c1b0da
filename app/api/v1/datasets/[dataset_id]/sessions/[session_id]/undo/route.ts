import { routes } from '#lib/http/route'
import { undoDatasetSession } from '#lib/operations/enrichment/dataset-sessions'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(undoDatasetSession)

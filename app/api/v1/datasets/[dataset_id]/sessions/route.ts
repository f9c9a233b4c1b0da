import { routes } from '#lib/http/route'
import { listDatasetSessions } from '#lib/operations/enrichment/dataset-sessions'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listDatasetSessions)

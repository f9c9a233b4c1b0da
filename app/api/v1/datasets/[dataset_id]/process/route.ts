import { routes } from '#lib/http/route'
import { processDataset } from '#lib/operations/dataset-sessions'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(processDataset)

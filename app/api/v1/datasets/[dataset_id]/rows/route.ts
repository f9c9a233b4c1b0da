import { routes } from '#lib/http/route'
import { listDatasetRows } from '#lib/operations/datasets/datasets'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listDatasetRows)

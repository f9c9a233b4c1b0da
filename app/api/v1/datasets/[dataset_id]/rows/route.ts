import { routes } from '#lib/http/route'
import { listDatasetRows } from '#lib/operations/datasets'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listDatasetRows)

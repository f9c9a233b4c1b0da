import { routes } from '#lib/http/route'
import { listDatasetRejects } from '#lib/operations/datasets/datasets'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listDatasetRejects)

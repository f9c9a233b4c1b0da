import { routes } from '#lib/http/route'
import { listDatasets } from '#lib/operations/datasets/datasets'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listDatasets)

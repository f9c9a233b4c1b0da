import { routes } from '#lib/http/route'
import { addDatasetRows } from '#lib/operations/datasets/dataset-rows'
import { listDatasetRows } from '#lib/operations/datasets/datasets'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(addDatasetRows, listDatasetRows)

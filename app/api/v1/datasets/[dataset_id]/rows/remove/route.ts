import { routes } from '#lib/http/route'
import { removeDatasetRows } from '#lib/operations/datasets/dataset-rows'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(removeDatasetRows)

import { routes } from '#lib/http/route'
import { editDatasetRow, removeDatasetRow } from '#lib/operations/datasets/dataset-rows'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(editDatasetRow, removeDatasetRow)

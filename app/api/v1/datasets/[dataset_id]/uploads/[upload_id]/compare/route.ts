import { routes } from '#lib/http/route'
import { compareTable } from '#lib/operations/datasets/dataset-rows'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(compareTable)

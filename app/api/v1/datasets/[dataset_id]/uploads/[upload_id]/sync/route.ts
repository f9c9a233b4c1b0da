import { routes } from '#lib/http/route'
import { syncTable } from '#lib/operations/datasets/dataset-rows'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(syncTable)

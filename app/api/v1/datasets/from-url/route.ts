import { routes } from '#lib/http/route'
import { createDatasetFromUrl } from '#lib/operations/datasets/uploads'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(createDatasetFromUrl)

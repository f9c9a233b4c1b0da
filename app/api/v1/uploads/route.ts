import { routes } from '#lib/http/route'
import { createUpload } from '#lib/operations/datasets/uploads'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(createUpload)

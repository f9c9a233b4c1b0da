import { routes } from '#lib/http/route'
import { createUploadFromUrl } from '#lib/operations/datasets/uploads'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(createUploadFromUrl)

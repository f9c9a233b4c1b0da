import { routes } from '#lib/http/route'
import { previewUpload } from '#lib/operations/datasets/uploads'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(previewUpload)

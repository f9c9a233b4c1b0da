import { routes } from '#lib/http/route'
import { importUpload } from '#lib/operations/datasets/uploads'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(importUpload)

import { routes } from '#lib/http/route'
import { authorizeSheets } from '#lib/operations/datasets/google-sheets'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(authorizeSheets)

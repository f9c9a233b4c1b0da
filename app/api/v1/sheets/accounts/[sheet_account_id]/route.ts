import { routes } from '#lib/http/route'
import { disconnectSheets } from '#lib/operations/datasets/google-sheets'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(disconnectSheets)

import { routes } from '#lib/http/route'
import { completeSheets } from '#lib/operations/datasets/google-sheets'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(completeSheets)

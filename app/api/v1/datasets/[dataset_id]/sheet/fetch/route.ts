import { routes } from '#lib/http/route'
import { fetchSheet } from '#lib/operations/datasets/google-sheets'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(fetchSheet)

import { routes } from '#lib/http/route'
import { importSpreadsheet } from '#lib/operations/uploads'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(importSpreadsheet)

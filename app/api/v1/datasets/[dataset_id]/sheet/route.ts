import { routes } from '#lib/http/route'
import { readSheetLink, removeSheetLink } from '#lib/operations/datasets/google-sheets'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readSheetLink, removeSheetLink)

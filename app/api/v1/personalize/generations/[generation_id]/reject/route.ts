import { routes } from '#lib/http/route'
import { rejectGeneration } from '#lib/operations/personalize/personalize'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(rejectGeneration)

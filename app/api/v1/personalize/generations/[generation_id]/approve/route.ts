import { routes } from '#lib/http/route'
import { approveGeneration } from '#lib/operations/personalize/personalize'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(approveGeneration)

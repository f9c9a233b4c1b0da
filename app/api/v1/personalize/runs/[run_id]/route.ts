import { routes } from '#lib/http/route'
import { readPersonalizationRun } from '#lib/operations/personalize/personalize'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readPersonalizationRun)

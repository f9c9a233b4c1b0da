import { routes } from '#lib/http/route'
import { cancelPersonalizationRun } from '#lib/operations/personalize/personalize'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(cancelPersonalizationRun)

import { routes } from '#lib/http/route'
import { previewPersonalization } from '#lib/operations/personalize/personalize'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(previewPersonalization)

import { routes } from '#lib/http/route'
import { previewStep } from '#lib/operations/campaigns/step-previews'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(previewStep)

import { routes } from '#lib/http/route'
import { previewDraftStep } from '#lib/operations/campaigns/step-previews'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(previewDraftStep)

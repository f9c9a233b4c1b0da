import { routes } from '#lib/http/route'
import { pauseCampaign } from '#lib/operations/campaigns/campaigns'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(pauseCampaign)

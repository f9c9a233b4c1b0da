import { routes } from '#lib/http/route'
import { launchCampaign } from '#lib/operations/campaigns/campaigns'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(launchCampaign)

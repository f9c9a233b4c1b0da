import { routes } from '#lib/http/route'
import { createCampaign, listCampaigns } from '#lib/operations/campaigns/campaigns'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(createCampaign, listCampaigns)

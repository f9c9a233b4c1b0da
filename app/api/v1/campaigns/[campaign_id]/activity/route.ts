import { routes } from '#lib/http/route'
import { readCampaignActivity } from '#lib/operations/campaigns/campaign-decisions'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readCampaignActivity)

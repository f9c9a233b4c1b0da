import { routes } from '#lib/http/route'
import { retryCampaignLeads } from '#lib/operations/campaigns/campaign-decisions'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(retryCampaignLeads)

import { routes } from '#lib/http/route'
import { resumeCampaignLeads } from '#lib/operations/campaigns/campaign-decisions'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(resumeCampaignLeads)

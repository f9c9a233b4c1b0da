import { routes } from '#lib/http/route'
import { suppressCampaignLeads } from '#lib/operations/campaigns/campaign-decisions'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(suppressCampaignLeads)

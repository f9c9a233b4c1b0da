import { routes } from '#lib/http/route'
import { addCampaignLeads } from '#lib/operations/campaigns/campaign-decisions'
import { listCampaignLeads } from '#lib/operations/campaigns/campaigns'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(addCampaignLeads, listCampaignLeads)

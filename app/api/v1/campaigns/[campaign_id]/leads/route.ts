import { routes } from '#lib/http/route'
import { listCampaignLeads } from '#lib/operations/campaigns/campaigns'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listCampaignLeads)

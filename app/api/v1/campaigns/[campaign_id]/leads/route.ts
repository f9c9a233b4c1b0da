import { routes } from '#lib/http/route'
import { listCampaignLeads } from '#lib/operations/campaigns'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listCampaignLeads)

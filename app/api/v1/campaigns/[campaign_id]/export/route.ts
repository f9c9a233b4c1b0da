import { routes } from '#lib/http/route'
import { exportCampaignLeads } from '#lib/operations/campaigns/campaigns'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(exportCampaignLeads)

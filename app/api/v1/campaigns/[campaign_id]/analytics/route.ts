import { routes } from '#lib/http/route'
import { readCampaignAnalytics } from '#lib/operations/campaigns'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readCampaignAnalytics)

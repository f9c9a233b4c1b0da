import { routes } from '#lib/http/route'
import { deleteCampaign, readCampaign, updateCampaign } from '#lib/operations/campaigns/campaigns'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(deleteCampaign, readCampaign, updateCampaign)

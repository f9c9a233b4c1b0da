import { routes } from '#lib/http/route'
import { listCampaignEdits } from '#lib/operations/campaigns/campaign-edits'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listCampaignEdits)

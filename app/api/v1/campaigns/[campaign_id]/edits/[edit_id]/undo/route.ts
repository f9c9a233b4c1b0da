import { routes } from '#lib/http/route'
import { undoCampaignEdit } from '#lib/operations/campaigns/campaign-edits'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(undoCampaignEdit)

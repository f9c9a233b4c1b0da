import { routes } from '#lib/http/route'
import { readCampaignIntentRules, replaceCampaignIntentRules } from '#lib/operations/inbox/intent-rules'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  readCampaignIntentRules,
  replaceCampaignIntentRules,
)

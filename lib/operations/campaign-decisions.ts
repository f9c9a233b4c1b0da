import { ExplainCampaign } from '#lib/contracts/explanations'
import { operation } from '#lib/operations/operation'
import * as explanations from '#lib/services/explanations'

export const explainCampaign = operation(ExplainCampaign, ({ user, params, now }) =>
  explanations.explainCampaign(user.user_id, params.campaign_id, now),
)

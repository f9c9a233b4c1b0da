import { ExplainCampaign } from '#lib/contracts/explanations'
import { ReadLaunchChecks } from '#lib/contracts/launch-checks'
import { operation } from '#lib/operations/operation'
import * as explanations from '#lib/services/explanations'
import * as launchAdvice from '#lib/services/launch-advice'

export const explainCampaign = operation(ExplainCampaign, ({ user, params, now }) =>
  explanations.explainCampaign(user.user_id, params.campaign_id, now),
)
export const readLaunchChecks = operation(ReadLaunchChecks, ({ user, params, now }) =>
  launchAdvice.launchChecks(user.user_id, params.campaign_id, now),
)

import { ExplainCampaign } from '#lib/contracts/explanations'
import { ReadLaunchChecks } from '#lib/contracts/launch-checks'
import { ReadLeadTimeline } from '#lib/contracts/lead-timelines'
import { operation } from '#lib/operations/operation'
import * as explanations from '#lib/services/explanations'
import * as launchAdvice from '#lib/services/launch-advice'
import * as leadTimelines from '#lib/services/lead-timelines'

export const explainCampaign = operation(ExplainCampaign, ({ user, params, now }) =>
  explanations.explainCampaign(user.user_id, params.campaign_id, now),
)
export const readLaunchChecks = operation(ReadLaunchChecks, ({ user, params, now }) =>
  launchAdvice.launchChecks(user.user_id, params.campaign_id, now),
)
export const readLeadTimeline = operation(ReadLeadTimeline, ({ user, params, now }) =>
  leadTimelines.leadTimeline(user.user_id, params.campaign_id, params.campaign_lead_id, now),
)

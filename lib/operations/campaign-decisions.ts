import { ExplainCampaign } from '#lib/contracts/explanations'
import { ReadLaunchChecks } from '#lib/contracts/launch-checks'
import { ResumeCampaignLeads, StopCampaignLeads } from '#lib/contracts/lead-stops'
import { ReadLeadTimeline } from '#lib/contracts/lead-timelines'
import { operation } from '#lib/operations/operation'
import * as explanations from '#lib/services/explanations'
import * as launchAdvice from '#lib/services/launch-advice'
import * as leadStops from '#lib/services/lead-stops'
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
export const stopCampaignLeads = operation(StopCampaignLeads, ({ user, params, body, now }) =>
  leadStops.stopLeads(user.user_id, params.campaign_id, body.campaign_lead_ids, now),
)
export const resumeCampaignLeads = operation(ResumeCampaignLeads, ({ user, params, body, now }) =>
  leadStops.resumeLeads(user.user_id, params.campaign_id, body.campaign_lead_ids, now),
)

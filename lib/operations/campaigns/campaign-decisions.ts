import { ReadCampaignActivity } from '#lib/contracts/campaigns/activity'
import { ExplainCampaign } from '#lib/contracts/campaigns/explanations'
import { ReadLaunchChecks } from '#lib/contracts/campaigns/launch-checks'
import { AddCampaignLeads } from '#lib/contracts/leads/added-leads'
import { HoldCampaignLead, ReleaseCampaignLead } from '#lib/contracts/leads/lead-holds'
import {
  ResumeCampaignLeads,
  RetryCampaignLeads,
  StopCampaignLeads,
  SuppressCampaignLeads,
} from '#lib/contracts/leads/lead-stops'
import { ReadLeadTimeline } from '#lib/contracts/leads/lead-timelines'
import { operation } from '#lib/operations/operation'
import * as activity from '#lib/services/campaigns/activity'
import * as explanations from '#lib/services/forecast/explanations'
import * as leadTimelines from '#lib/services/forecast/lead-timelines'
import * as launchAdvice from '#lib/services/launch/advice'
import { retryLeads } from '#lib/services/leads/failed-leads'
import { holdLead, releaseLead } from '#lib/services/leads/holds'
import { addCampaignLeads as addLeads } from '#lib/services/leads/rows/add-leads'
import * as leadStops from '#lib/services/leads/stops'
import * as suppressions from '#lib/services/leads/suppressions'
import { requireOwnList } from '#lib/services/workspaces/own-rows'

export const readCampaignActivity = operation(ReadCampaignActivity, ({ user, params, query, now }) =>
  activity.readCampaignActivity(user.workspace_id, params.campaign_id, query, now),
)
export const explainCampaign = operation(ExplainCampaign, ({ user, params, now }) =>
  explanations.explainCampaign(user.workspace_id, params.campaign_id, now),
)
export const readLaunchChecks = operation(ReadLaunchChecks, ({ user, params, now }) =>
  launchAdvice.launchChecks(user.workspace_id, params.campaign_id, now),
)
export const readLeadTimeline = operation(ReadLeadTimeline, ({ user, params, now }) =>
  leadTimelines.leadTimeline(user.workspace_id, params.campaign_id, params.campaign_lead_id, now),
)
export const addCampaignLeads = operation(AddCampaignLeads, async ({ user, params, body, now }) => {
  await requireOwnList(user, params.campaign_id)
  return addLeads(user.workspace_id, params.campaign_id, body, now)
})
export const stopCampaignLeads = operation(StopCampaignLeads, ({ user, params, body, now }) =>
  leadStops.stopLeads(user.workspace_id, params.campaign_id, body.campaign_lead_ids, now),
)
export const resumeCampaignLeads = operation(ResumeCampaignLeads, ({ user, params, body, now }) =>
  leadStops.resumeLeads(user.workspace_id, params.campaign_id, body.campaign_lead_ids, now),
)
export const retryCampaignLeads = operation(RetryCampaignLeads, ({ user, params, body, now }) =>
  retryLeads(user.workspace_id, params.campaign_id, body.campaign_lead_ids, now),
)
export const holdCampaignLead = operation(HoldCampaignLead, ({ user, params, body, now }) =>
  holdLead(namedLead(user, params), new Date(body.until), now),
)
export const releaseCampaignLead = operation(ReleaseCampaignLead, ({ user, params, now }) =>
  releaseLead(namedLead(user, params), now),
)
export const suppressCampaignLeads = operation(SuppressCampaignLeads, ({ user, params, body, now }) =>
  suppressions.suppressLeads(user.workspace_id, params.campaign_id, body.campaign_lead_ids, now),
)

function namedLead(
  { workspace_id }: { workspace_id: string },
  { campaign_id, campaign_lead_id }: { campaign_id: string; campaign_lead_id: string },
) {
  return { workspaceId: workspace_id, campaignId: campaign_id, leadId: campaign_lead_id }
}

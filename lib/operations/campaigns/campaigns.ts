import { ReadCampaignAnalytics } from '#lib/contracts/campaigns/campaign-analytics'
import {
  CreateCampaign,
  DeleteCampaign,
  DuplicateCampaign,
  ListCampaigns,
  ReadCampaign,
  UpdateCampaign,
} from '#lib/contracts/campaigns/campaigns'
import {
  LaunchCampaign,
  PauseCampaign,
  ResumeCampaign,
  SendNowOnce,
} from '#lib/contracts/campaigns/lifecycle'
import { ExportCampaignLeads, ListCampaignLeads } from '#lib/contracts/leads/campaign-leads'
import { operation } from '#lib/operations/operation'
import * as analytics from '#lib/services/campaigns/campaign-analytics'
import * as service from '#lib/services/campaigns/campaigns'
import * as copies from '#lib/services/campaigns/copies'
import * as campaignDeletion from '#lib/services/changes/deletion'
import { previewUpdate } from '#lib/services/changes/previews'
import * as campaignUpdates from '#lib/services/changes/update'
import * as life from '#lib/services/launch/lifecycle'
import { sendNowOnce as openOnce } from '#lib/services/launch/open-once'
import * as leads from '#lib/services/leads/campaign-leads'
import { exportCampaignLeads as exportLeads } from '#lib/services/leads/export'

export const listCampaigns = operation(ListCampaigns, ({ user, query }) => service.listCampaigns(user, query))
export const createCampaign = operation(CreateCampaign, ({ user, body }) =>
  service.createCampaign(user, body),
)
export const readCampaign = operation(ReadCampaign, ({ user, params }) =>
  service.readCampaign(user.workspace_id, params.campaign_id),
)
export const updateCampaign = operation(
  UpdateCampaign,
  ({ user, params, query, body, now }) =>
    query.dry_run === 'true'
      ? previewUpdate(user.workspace_id, params.campaign_id, body, now)
      : campaignUpdates.updateCampaign(
          user.workspace_id,
          params.campaign_id,
          body,
          now,
          user.scopes.includes('send'),
        ),
  ({ user, params }) => service.isLaunched(user.workspace_id, params.campaign_id),
)
export const duplicateCampaign = operation(DuplicateCampaign, ({ user, params, body }) =>
  copies.duplicateCampaign(user, params.campaign_id, body),
)
export const deleteCampaign = operation(DeleteCampaign, ({ user, params }) =>
  campaignDeletion.deleteCampaign(user.workspace_id, params.campaign_id),
)
export const launchCampaign = operation(LaunchCampaign, ({ user, params, body, now }) =>
  body.start_local === undefined
    ? life.launchCampaign(user.workspace_id, params.campaign_id, body.start_date, now)
    : life.launchAt(user.workspace_id, params.campaign_id, body.start_local, now),
)
export const pauseCampaign = operation(PauseCampaign, ({ user, params, now }) =>
  life.pauseCampaign(user.workspace_id, params.campaign_id, now),
)
export const resumeCampaign = operation(ResumeCampaign, ({ user, params, now }) =>
  life.resumeCampaign(user.workspace_id, params.campaign_id, now),
)
export const sendNowOnce = operation(SendNowOnce, ({ user, params, now }) =>
  openOnce(user.workspace_id, params.campaign_id, now),
)
export const listCampaignLeads = operation(ListCampaignLeads, ({ user, params, query, now }) =>
  leads.listCampaignLeads(user.workspace_id, params.campaign_id, query, now),
)
export const readCampaignAnalytics = operation(ReadCampaignAnalytics, ({ user, params, query }) =>
  analytics.readCampaignAnalytics(user.workspace_id, params.campaign_id, query),
)
export const exportCampaignLeads = operation(ExportCampaignLeads, ({ user, params, query, now }) =>
  exportLeads(user.workspace_id, params.campaign_id, query, now),
)

import { CompareCampaigns } from '#lib/contracts/campaigns/campaign-comparison'
import { ReadProviderAnalytics } from '#lib/contracts/campaigns/provider-analytics'
import { ListResults } from '#lib/contracts/campaigns/results'
import {
  ExportWorkspaceAnalytics,
  ReadWorkspaceAnalytics,
} from '#lib/contracts/campaigns/workspace-analytics'
import { operation } from '#lib/operations/operation'
import * as comparison from '#lib/services/campaigns/campaign-comparison'
import * as providers from '#lib/services/campaigns/providers/provider-results'
import * as files from '#lib/services/campaigns/reports/analytics-export'
import * as service from '#lib/services/campaigns/results'
import * as analytics from '#lib/services/campaigns/workspace-analytics'
import { workspaceTimezone } from '#lib/services/workspaces/users'

export const listResults = operation(ListResults, ({ user, query }) => service.listResults(user, query))
export const readWorkspaceAnalytics = operation(ReadWorkspaceAnalytics, ({ user, query, now }) =>
  analytics.readWorkspaceAnalytics(user.workspace_id, query, now),
)
export const compareCampaigns = operation(CompareCampaigns, ({ user, params, query }) =>
  comparison.compareCampaigns(user.workspace_id, params.campaign_id, query.compare_to),
)
export const exportWorkspaceAnalytics = operation(ExportWorkspaceAnalytics, ({ user, query, now }) =>
  files.exportWorkspaceAnalytics(user.workspace_id, query, now),
)
export const readProviderAnalytics = operation(ReadProviderAnalytics, async ({ user, query, now }) =>
  providers.readProviderAnalytics(user.workspace_id, await workspaceTimezone(user.workspace_id), query, now),
)

import { ListWorkspaceOverviews } from '#lib/contracts/workspaces/overview'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/campaigns/reports/workspace-overviews'

export const listWorkspaceOverviews = operation(ListWorkspaceOverviews, ({ user, query, now }) =>
  service.listWorkspaceOverviews(user, query, now),
)

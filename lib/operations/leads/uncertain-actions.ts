import { ListUncertainActions, ResolveUncertainAction } from '#lib/contracts/leads/uncertain-actions'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/leads/uncertain-actions'

export const listUncertainActions = operation(ListUncertainActions, ({ user, params, query }) =>
  service.listUncertainActions(user.workspace_id, params.campaign_id, query),
)
export const resolveUncertainAction = operation(ResolveUncertainAction, ({ user, params, body, now }) =>
  service.resolveUncertainAction(
    user.workspace_id,
    params.campaign_id,
    params.action_id,
    body.resolution,
    now,
  ),
)

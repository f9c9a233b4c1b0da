import { ListUncertainActions, ResolveUncertainAction } from '#lib/contracts/leads/uncertain-actions'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/leads/uncertain-actions'

export const listUncertainActions = operation(ListUncertainActions, ({ user, params, query }) =>
  service.listUncertainActions(user.user_id, params.campaign_id, query),
)
export const resolveUncertainAction = operation(ResolveUncertainAction, ({ user, params, body, now }) =>
  service.resolveUncertainAction(user.user_id, params.campaign_id, params.action_id, body.resolution, now),
)

import {
  ReadCampaignIntentRules,
  ReadIntentRules,
  ReplaceCampaignIntentRules,
  ReplaceIntentRules,
} from '#lib/contracts/inbox/intent-rules'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/inbox/intent/rules'

export const readIntentRules = operation(ReadIntentRules, ({ user }) => service.readIntentRules(user, null))
export const replaceIntentRules = operation(ReplaceIntentRules, ({ user, body }) =>
  service.replaceIntentRules(user, null, body),
)
export const readCampaignIntentRules = operation(ReadCampaignIntentRules, ({ user, params }) =>
  service.readIntentRules(user, params.campaign_id),
)
export const replaceCampaignIntentRules = operation(ReplaceCampaignIntentRules, ({ user, params, body }) =>
  service.replaceIntentRules(user, params.campaign_id, body),
)

import { ReadClientCampaigns, SetClientCampaigns } from '#lib/contracts/workspaces/client-campaigns'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/workspaces/joining/client-campaigns'

export const readClientCampaigns = operation(ReadClientCampaigns, ({ user, params }) =>
  service.readClientCampaigns(user, params),
)
export const setClientCampaigns = operation(SetClientCampaigns, ({ user, params, body }) =>
  service.setClientCampaigns(user, params, body),
)

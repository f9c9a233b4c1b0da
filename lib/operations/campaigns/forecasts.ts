import { ForecastCampaign, ForecastDraft, ForecastEdit } from '#lib/contracts/campaigns/forecasts'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/forecast/forecasts'

export const forecastCampaign = operation(ForecastCampaign, ({ user, params, query, now }) =>
  service.forecastCampaign(user.workspace_id, params.campaign_id, query, now),
)
export const forecastDraft = operation(ForecastDraft, ({ user, body, query, now }) =>
  service.forecastDraft(user.workspace_id, body, query, now),
)
export const forecastEdit = operation(ForecastEdit, ({ user, params, body, query, now }) =>
  service.forecastEdited(user.workspace_id, params.campaign_id, body, query, now),
)

import type { CampaignModel } from '#lib/db/generated/models'
import { asPerformed } from '#lib/domain/campaigns/campaign-type'
import { typedCampaign } from '#lib/services/campaigns/campaigns'
import type { Forecastable } from '#lib/services/forecast/input'

/** A stored campaign with its owner's zone, in the form that forecasts and explanations take. */
export const forecastable = (row: CampaignModel, ownerTimezone: string): Forecastable => ({
  ...typedCampaign(row),
  steps_config: asPerformed(typedCampaign(row).steps_config),
  owner_timezone: ownerTimezone,
})

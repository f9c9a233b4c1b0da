import type { CampaignModel } from '#lib/db/generated/models'
import { typed } from '#lib/services/campaigns'
import type { Forecastable } from '#lib/services/forecast/input'

/** A stored campaign and its owner's zone, in the form that forecasts and explanations load from. */
export const forecastable = (row: CampaignModel, ownerTimezone: string): Forecastable => ({
  ...typed(row),
  owner_timezone: ownerTimezone,
})

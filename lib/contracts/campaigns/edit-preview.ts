import { z } from 'zod'
import { ForecastSummary } from '#lib/contracts/campaigns/forecast-shape'

export const CampaignChange = z
  .object({
    what: z.string().describe('“Step 2: Waits”, “Daily limit”, …'),
    step: z.int().nullable().describe('Null if it affects the whole campaign.'),
    before: z.string().nullable().describe('In words. Null if there was no value.'),
    after: z.string().nullable().describe('In words. Null if it was removed.'),
    leads: z.int().describe('Leads that the change can still affect.'),
  })
  .meta({ id: 'CampaignChange' })
export type CampaignChange = z.output<typeof CampaignChange>

/** The effect of an edit of a campaign, as returned for `dry_run=true`. */
export const EditPreview = z
  .object({
    changes: z.array(CampaignChange),
    forecast_before: ForecastSummary,
    forecast_after: ForecastSummary,
  })
  .meta({ id: 'EditPreview' })
export type EditPreview = z.output<typeof EditPreview>

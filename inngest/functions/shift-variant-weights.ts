import { cron } from 'inngest'
import { inngest } from '#lib/events/client'
import { shiftVariantWeights as shiftWeights } from '#lib/services/campaigns/variant-weights'

/** Hourly, though no campaign is looked at more than once a day. */
export const shiftVariantWeights = inngest.createFunction(
  { id: 'shift-variant-weights', triggers: [cron('23 * * * *')], concurrency: { limit: 1 } },
  async ({ step }) => step.run('shift', () => shiftWeights(new Date())),
)

import { cron } from 'inngest'
import { inngest } from '#lib/events/client'
import { removeFullBuckets } from '#lib/services/instance/rate-limits'

/** Removes the limits that count nothing any more: strangers make some with each address that they try. */
export const sweepRateLimits = inngest.createFunction(
  { id: 'sweep-rate-limits', triggers: [cron('37 * * * *')], concurrency: { limit: 1 }, retries: 0 },
  async ({ step }) => step.run('remove', () => removeFullBuckets(new Date())),
)

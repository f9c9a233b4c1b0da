import { cron } from 'inngest'
import { inngest } from '#lib/events/client'
import { strayFileRound } from '#lib/services/posts/round'

/** Removes files that belong to nobody any more from their storage. */
export const removeStrayFiles = inngest.createFunction(
  { id: 'remove-stray-files', triggers: [cron('7 * * * *')], concurrency: { limit: 1 }, retries: 0 },
  async ({ step }) => step.run('remove', () => strayFileRound()),
)

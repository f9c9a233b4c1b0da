import { cron } from 'inngest'
import { inngest } from '#lib/events/client'
import { removeOldSignIns } from '#lib/services/workspaces/sign-in/sign-ins'

/** Forgets who signed in, after 90 days. */
export const sweepSignIns = inngest.createFunction(
  { id: 'sweep-sign-ins', triggers: [cron('52 3 * * *')], concurrency: { limit: 1 }, retries: 0 },
  async ({ step }) => step.run('remove', () => removeOldSignIns(new Date())),
)

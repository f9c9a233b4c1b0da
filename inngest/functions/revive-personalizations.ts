import { cron } from 'inngest'
import { inngest } from '#lib/events/client'
import { askForStaleRuns } from '#lib/services/personalize/runs'

/** Runs whose event was lost, or whose worker died. */
export const revivePersonalizations = inngest.createFunction(
  { id: 'revive-personalizations', triggers: [cron('* * * * *')], concurrency: { limit: 1 } },
  async ({ step }) => step.run('ask', () => askForStaleRuns(new Date())),
)

import { cron } from 'inngest'
import { inngest } from '#lib/events/client'
import { askForStaleImports } from '#lib/services/dataset-import'

/** Imports whose event was lost, or whose worker died. */
export const reviveImports = inngest.createFunction(
  { id: 'revive-imports', triggers: [cron('* * * * *')], concurrency: { limit: 1 } },
  async ({ step }) => step.run('ask', () => askForStaleImports(new Date())),
)

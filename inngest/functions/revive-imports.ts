import { cron } from 'inngest'
import { inngest } from '#lib/events/client'
import { askForStaleImports } from '#lib/services/datasets/import'
import { askForStaleSessions } from '#lib/services/enrichment/sessions'

/** Imports and other sessions whose event was lost, or whose worker died. */
export const reviveImports = inngest.createFunction(
  { id: 'revive-imports', triggers: [cron('* * * * *')], concurrency: { limit: 1 } },
  async ({ step }) => {
    const imports = await step.run('ask', () => askForStaleImports(new Date()))
    const sessions = await step.run('ask-sessions', () => askForStaleSessions(new Date()))
    return { imports, sessions }
  },
)

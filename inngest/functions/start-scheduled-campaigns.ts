import { cron } from 'inngest'
import { inngest } from '#lib/events/client'
import { startDueCampaigns } from '#lib/services/launch/lifecycle'

/** Scheduled campaigns whose time has come, and launches whose event was lost. */
export const startScheduledCampaigns = inngest.createFunction(
  { id: 'start-scheduled-campaigns', triggers: [cron('* * * * *')], concurrency: { limit: 1 } },
  async ({ step }) => step.run('start', () => startDueCampaigns(new Date())),
)

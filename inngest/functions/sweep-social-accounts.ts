import { cron } from 'inngest'
import { inngest } from '#lib/events/client'
import { sweepSocialAccounts } from '#lib/services/inbox/social-events'

/** Reads the chats of connected accounts, and how accounts and invitations stand: one run at a time. */
export const sweepAccounts = inngest.createFunction(
  { id: 'sweep-social-accounts', triggers: [cron('* * * * *')], concurrency: { limit: 1 }, retries: 0 },
  async ({ step }) => step.run('sweep', () => sweepSocialAccounts()),
)

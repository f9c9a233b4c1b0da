import { cron } from 'inngest'
import { inngest } from '#lib/events/client'
import { pollRound } from '#lib/services/inbox/round'

/** Reads the incoming mail of all mailboxes each minute: one run at a time, several mailboxes at once. */
export const pollInboxes = inngest.createFunction(
  { id: 'poll-inboxes', triggers: [cron('* * * * *')], concurrency: { limit: 1 }, retries: 0 },
  async ({ step }) => step.run('read', () => pollRound()),
)

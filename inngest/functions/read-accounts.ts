import { BELL_EVENTS } from '#lib/events/bells'
import { inngest } from '#lib/events/client'
import { readDueAccounts } from '#lib/services/inbox/social-events'
import { answerBell } from '#lib/services/instance/bells'

/** Reads chats, account states and invitations of the accounts that are due, in one run at a time. */
export const readAccounts = inngest.createFunction(
  {
    id: 'read-accounts',
    triggers: [BELL_EVENTS.accounts],
    concurrency: { limit: 1 },
    retries: 0,
    checkpointing: false,
  },
  () => answerBell('accounts', readDueAccounts),
)

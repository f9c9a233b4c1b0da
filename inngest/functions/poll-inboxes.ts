import { BELL_EVENTS } from '#lib/events/bells'
import { inngest } from '#lib/events/client'
import { pollRound } from '#lib/services/inbox/mailboxes/round'
import { answerBell } from '#lib/services/instance/bells'

/** Reads the incoming mail of the mailboxes that are due: one run at a time, several mailboxes at once. */
export const pollInboxes = inngest.createFunction(
  {
    id: 'poll-inboxes',
    triggers: [BELL_EVENTS.inbox],
    concurrency: { limit: 1 },
    retries: 0,
    checkpointing: false,
  },
  () => answerBell('inbox', pollRound),
)

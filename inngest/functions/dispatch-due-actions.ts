import { BELL_EVENTS } from '#lib/events/bells'
import { inngest } from '#lib/events/client'
import { mailboxes } from '#lib/services/inbox/mailboxes/round'
import { answerBell } from '#lib/services/instance/bells'
import { dispatchRound } from '#lib/services/sending/round'

/** Sends all that is due when the first of it is. Without steps, so that a wake-up costs one execution. */
export const dispatchDueActions = inngest.createFunction(
  {
    id: 'dispatch-due-actions',
    triggers: [BELL_EVENTS.dispatch],
    concurrency: { limit: 2 },
    // Every crash of the app or the engine costs one; out of them, sending would stand until something is written, or the sweep.
    retries: 5,
    checkpointing: false,
  },
  () => answerBell('dispatch', () => dispatchRound(mailboxes)),
)

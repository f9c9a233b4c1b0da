import { BELL_EVENTS } from '#lib/events/bells'
import { inngest } from '#lib/events/client'
import { mailboxes } from '#lib/services/inbox/mailboxes/round'
import { answerBell } from '#lib/services/instance/bells'
import { dispatchRound } from '#lib/services/sending/round'

/** Sends everything that is due. Without steps, so that a wake-up costs one execution. */
export const dispatchDueActions = inngest.createFunction(
  {
    id: 'dispatch-due-actions',
    triggers: [BELL_EVENTS.dispatch],
    concurrency: { limit: 2 },
    // Each crash of the app or the engine costs a try; without one left, sending would stop until the next write or sweep.
    retries: 5,
    checkpointing: false,
  },
  () => answerBell('dispatch', () => dispatchRound(mailboxes)),
)

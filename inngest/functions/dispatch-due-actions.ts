import { onBell } from '#inngest/on-bell'
import { mailboxes } from '#lib/services/inbox/mailboxes/round'
import { dispatchRound } from '#lib/services/sending/round'

/** Sends everything that is due. Without steps, so that a wake-up costs one execution. */
export const dispatchDueActions = onBell(
  'dispatch',
  // Each crash of the app or the engine costs a try; without one left, sending would stop until the next write or sweep.
  { id: 'dispatch-due-actions', limit: 2, retries: 5 },
  () => dispatchRound(mailboxes),
)

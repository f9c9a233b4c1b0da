import { BELL_EVENTS } from '#lib/events/bells'
import { inngest } from '#lib/events/client'
import { answerBell } from '#lib/services/instance/bells'
import { deliverRound } from '#lib/services/telling/webhook-round'

/** Tells webhooks what happened. One that hangs holds its own lane only; a run that dies loses nothing but time. */
export const deliverWebhooks = inngest.createFunction(
  {
    id: 'deliver-webhooks',
    triggers: [BELL_EVENTS.webhooks],
    concurrency: { limit: 2 },
    retries: 2,
    checkpointing: false,
  },
  () => answerBell('webhooks', deliverRound),
)

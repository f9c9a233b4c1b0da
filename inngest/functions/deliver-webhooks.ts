import { BELL_EVENTS } from '#lib/events/bells'
import { inngest } from '#lib/events/client'
import { answerBell } from '#lib/services/instance/bells'
import { deliverRound } from '#lib/services/telling/webhook-round'

/** Delivers webhooks. A hanging endpoint blocks only its own lane, and a run that dies loses only time. */
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

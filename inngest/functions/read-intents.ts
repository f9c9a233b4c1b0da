import { BELL_EVENTS } from '#lib/events/bells'
import { inngest } from '#lib/events/client'
import { modelRound } from '#lib/services/inbox/intent/model'
import { answerBell } from '#lib/services/instance/bells'

/** Asks the language model for the intents of replies. Not retried as a whole: each message counts its own tries. */
export const readIntents = inngest.createFunction(
  {
    id: 'read-intents',
    triggers: [BELL_EVENTS.intents],
    concurrency: { limit: 1 },
    retries: 0,
    checkpointing: false,
  },
  () => answerBell('intents', () => modelRound(new Date())),
)

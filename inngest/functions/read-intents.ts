import { onBell } from '#inngest/on-bell'
import { modelRound } from '#lib/services/inbox/intent/model'

/** Asks the language model for the intents of replies. Not retried as a whole: each message counts its own tries. */
export const readIntents = onBell('intents', { id: 'read-intents', limit: 1, retries: 0 }, () =>
  modelRound(new Date()),
)

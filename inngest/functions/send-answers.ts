import { BELL_EVENTS } from '#lib/events/bells'
import { inngest } from '#lib/events/client'
import { answersRound } from '#lib/services/inbox/planned/round'
import { answerBell } from '#lib/services/instance/bells'

/** Sends due scheduled replies. Not retried as a whole: each reply is taken once. */
export const sendAnswers = inngest.createFunction(
  {
    id: 'send-answers',
    triggers: [BELL_EVENTS.answers],
    concurrency: { limit: 2 },
    retries: 0,
    checkpointing: false,
  },
  () => answerBell('answers', () => answersRound(new Date())),
)

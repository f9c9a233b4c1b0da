import { onBell } from '#inngest/on-bell'
import { answersRound } from '#lib/services/inbox/planned/round'

/** Sends due scheduled replies. Not retried as a whole: each reply is taken once. */
export const sendAnswers = onBell('answers', { id: 'send-answers', limit: 2, retries: 0 }, () =>
  answersRound(new Date()),
)

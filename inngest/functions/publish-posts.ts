import { BELL_EVENTS } from '#lib/events/bells'
import { inngest } from '#lib/events/client'
import { answerBell } from '#lib/services/instance/bells'
import { publishRound } from '#lib/services/posts/round'

/** Publishes due posts and reads their metrics. Not retried as a whole: each post keeps its own state. */
export const publishPosts = inngest.createFunction(
  {
    id: 'publish-posts',
    triggers: [BELL_EVENTS.posts],
    concurrency: { limit: 2 },
    retries: 0,
    checkpointing: false,
  },
  () => answerBell('posts', publishRound),
)

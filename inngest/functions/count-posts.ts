import { cron } from 'inngest'
import { inngest } from '#lib/events/client'
import { countRound } from '#lib/services/posts/round'

/** Asks the networks what became of published posts. Each post says itself when it is counted next. */
export const countPosts = inngest.createFunction(
  { id: 'count-posts', triggers: [cron('*/10 * * * *')], concurrency: { limit: 1 }, retries: 0 },
  async ({ step }) => step.run('count', () => countRound()),
)

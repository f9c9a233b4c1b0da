import { cron } from 'inngest'
import { SocialPostDue } from '#lib/events/catalog'
import { inngest } from '#lib/events/client'
import { publishRound } from '#lib/services/posts/round'

/** Publishes what is due. Never tried again as a whole: each post knows its own state. */
export const publishPosts = inngest.createFunction(
  {
    id: 'publish-posts',
    triggers: [SocialPostDue, cron('* * * * *')],
    concurrency: { limit: 2 },
    retries: 0,
  },
  async ({ step }) => step.run('publish', () => publishRound()),
)

import { onBell } from '#inngest/on-bell'
import { publishRound } from '#lib/services/posts/round'

/** Publishes due posts and reads their metrics. Not retried as a whole: each post keeps its own state. */
export const publishPosts = onBell('posts', { id: 'publish-posts', limit: 2, retries: 0 }, publishRound)

import type { ClientBase } from 'pg'
import { pauseRestored } from '#lib/services/campaigns/state'
import { holdRestoredPosts } from '#lib/services/posts/state'

/** Nothing leaves by itself from a database that was brought back to a backup. A backup of an older version has no posts. */
export async function holdRestored(client: ClientBase, tables: ReadonlySet<string>): Promise<number> {
  if (tables.has('social_posts')) await holdRestoredPosts(client)
  return pauseRestored(client)
}

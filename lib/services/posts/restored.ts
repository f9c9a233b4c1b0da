import type { ClientBase } from 'pg'

/**
 * What was to be published may have been since the backup that a database was brought back to: its owner says anew that it
 * shall. The tables are of the backup's version.
 */
export async function holdRestoredPosts(client: ClientBase): Promise<void> {
  await client.query(
    `UPDATE social_posts SET status = 'draft', next_attempt_at = NULL,
       last_error = 'Restored from a backup, which does not know what was published after it: look, and schedule it again.'
     WHERE status = 'scheduled'`,
  )
}

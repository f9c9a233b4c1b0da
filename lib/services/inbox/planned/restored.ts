import type { ClientBase } from 'pg'

/**
 * A scheduled reply may have been sent since the backup that a database was brought back to: its writer says anew that it shall
 * be. The tables are of the backup's version.
 */
export async function holdRestoredAnswers(client: ClientBase): Promise<void> {
  await client.query(
    `UPDATE inbox_drafts SET send_at = NULL, updated_at = now(), version = version + 1,
       stopped = 'Restored from a backup, which does not know what was sent after it. Check the conversation, then schedule it again.'
     WHERE send_at IS NOT NULL`,
  )
}

import type { ClientBase } from 'pg'

/**
 * After a restore from a backup: scheduled replies may have been sent since, so their writers must schedule
 * them again. The tables have the backup's schema version.
 */
export async function holdRestoredAnswers(client: ClientBase): Promise<void> {
  await client.query(
    `UPDATE inbox_drafts SET send_at = NULL, updated_at = now(), version = version + 1,
       stopped = 'Restored from a backup, which does not know what was sent after it. Check the conversation, then schedule it again.'
     WHERE send_at IS NOT NULL`,
  )
}

import type { Pool } from 'pg'
import { inTransaction } from '#lib/db/transaction'
import { logged, writeLog } from '#lib/services/campaign-log'
import { lockRunning } from '#lib/services/dispatch/settle'

/**
 * A mailbox whose credentials were refused: it sends no more until its owner connects it again. Campaigns that name it,
 * or have no other mailbox left, pause with the reason.
 */
export async function disconnectMailbox(
  pool: Pool,
  mailboxId: string,
  error: string,
  now: Date,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ user_id: string }>(
      'SELECT user_id FROM mailboxes WHERE mailbox_id = $1',
      [mailboxId],
    )
    const owner = rows[0]?.user_id
    if (!owner) return
    // Campaigns first, then the mailbox: the order in which claims lock them.
    const running = await lockRunning(client, owner)
    await client.query(
      `UPDATE mailboxes SET status = 'disconnected', last_error = $2, last_checked_at = $3 WHERE mailbox_id = $1`,
      [mailboxId, error.slice(0, 1_000), now],
    )
    // One that starts at this moment is not locked, and is not waited for: it finds the mailbox gone at its claim.
    const { rows: paused } = await client.query<{ campaign_id: string; user_id: string }>(
      `UPDATE campaigns c SET status = 'paused', paused_from = c.status, paused_reason = 'sender_disconnected',
         next_slot_at = NULL
       WHERE c.campaign_id = ANY ($3) AND c.status IN ('active', 'draining')
         AND (c.alias_ids @> to_jsonb($2::text)
           OR NOT EXISTS (SELECT 1 FROM mailboxes m WHERE m.user_id = $1 AND m.status = 'connected'))
       RETURNING c.campaign_id, c.user_id`,
      [owner, mailboxId, running],
    )
    const detail = { mailbox_id: mailboxId, error: error.slice(0, 1_000) }
    await writeLog(
      client,
      paused.map((row) => logged(row, 'paused', now, { reason: 'sender_disconnected', detail })),
    )
  })
}

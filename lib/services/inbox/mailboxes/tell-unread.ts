import type { Pool } from 'pg'
import { inTransaction } from '#lib/db/transaction'
import { isUnreadForGood } from '#lib/domain/inbox/poll-cadence'
import type { InboxFailure } from '#lib/providers/inbox/port'
import { tell } from '#lib/services/telling/tell'

/** The columns of a mailbox that could not be read. */
export type Unread = {
  workspace_id: string
  mailbox_id: string
  address: string
  status: 'connected' | 'failing'
  inbox_error: string | null
  inbox_failing_since: Date | null
}

/**
 * Tells the owners that replies may go unnoticed, once per outage. Not if the mailbox cannot send either,
 * since they were told then, and a mailbox that stops sending until it can be read reports that itself.
 */
export async function tellOfUnread(
  pool: Pool,
  { workspace_id, mailbox_id, address, status, inbox_error, inbox_failing_since }: Unread,
  reason: InboxFailure,
  now: Date,
): Promise<void> {
  if (status === 'failing' || !inbox_failing_since) return
  if (!isUnreadForGood(reason, inbox_failing_since.getTime(), now.getTime())) return
  const since = inbox_failing_since.toISOString()
  await inTransaction(pool, async (client) => {
    await client.query('SELECT 1 FROM mailboxes WHERE mailbox_id = $1 FOR NO KEY UPDATE', [mailbox_id])
    const { rowCount } = await client.query(
      `SELECT 1 FROM notifications WHERE workspace_id = $1 AND kind = 'mailbox_unread' AND mailbox_id = $2 AND data ->> 'since' = $3 LIMIT 1`,
      [workspace_id, mailbox_id, since],
    )
    if (rowCount) return
    const error = inbox_error?.slice(0, 500) ?? null
    await tell(
      client,
      [{ type: 'mailbox.unread', workspace_id, at: now, data: { mailbox_id, address, error, since } }],
      [{ workspace_id, kind: 'mailbox_unread', mailbox_id, data: { address, reason: error, since } }],
    )
  })
}

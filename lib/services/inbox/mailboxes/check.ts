import { pool } from '#lib/db/client'
import { env } from '#lib/env'
import { READABLE } from '#lib/services/inbox/mailboxes/poll'

/** A mailbox read this recently is not worth another sign-in. */
const JUST_READ_MS = 30_000

/** A user opened the inbox: makes the workspace's mailboxes due now. The caller rings the bell. */
export async function checkInbox(
  workspaceId: string,
  now: Date,
): Promise<{ mailboxes: number; accounts: number }> {
  const before = new Date(now.getTime() - JUST_READ_MS)
  const { rowCount: mailboxes } = await pool().query(
    `UPDATE mailboxes SET inbox_due_at = $3
     WHERE workspace_id = $2 AND ${READABLE} AND (inbox_polled_at IS NULL OR inbox_polled_at < $4)`,
    [env().SANDBOX_SMTP_PORT ?? null, workspaceId, now, before],
  )
  const { rowCount: accounts } = await pool().query(
    `UPDATE connected_accounts SET messages_due_at = $2
     WHERE workspace_id = $1 AND status <> 'disconnected' AND (messages_read_until IS NULL OR messages_read_until < $3)`,
    [workspaceId, now, before],
  )
  return { mailboxes: mailboxes ?? 0, accounts: accounts ?? 0 }
}

import { pool } from '#lib/db/client'
import { env } from '#lib/env'
import { READABLE } from '#lib/services/inbox/mailboxes/poll'

/** What was read so lately holds nothing new that is worth another sign-in. */
const JUST_READ_MS = 30_000

/** Somebody looks: what the owner has is due now. The door rings the bell for it. */
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

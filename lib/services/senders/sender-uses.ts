import { pool } from '#lib/db/client'

export type SenderUse = { campaign_id: string; campaign_name: string; action_type: string; used: number }

/**
 * How much of these senders' limits each campaign used between two instants, the most first. Refused actions have given their slot back or
 * are not counted here, and chats written by hand belong to no campaign, so the sum may be below the total used.
 */
export async function senderUses(
  workspaceId: string,
  senderIds: string[],
  from: Date,
  to: Date,
): Promise<(senderId: string) => SenderUse[]> {
  const { rows } = await pool().query<SenderUse & { sender_id: string }>(
    `SELECT coalesce(a.mailbox_id, a.connected_account_id) AS sender_id, c.campaign_id, c.name AS campaign_name,
       a.action_type, count(*)::int AS used
     FROM campaigns c JOIN actions a ON a.campaign_id = c.campaign_id AND a.performed_at >= $3 AND a.performed_at < $4
     WHERE c.workspace_id = $1 AND a.status IN ('sending', 'sent', 'uncertain')
       AND coalesce(a.mailbox_id, a.connected_account_id) = ANY ($2)
     GROUP BY 1, 2, 3, 4 ORDER BY used DESC, campaign_name, action_type`,
    [workspaceId, senderIds, from, to],
  )
  const bySender = Map.groupBy(rows, (row) => row.sender_id)
  return (senderId) => (bySender.get(senderId) ?? []).map(({ sender_id: _, ...use }) => use)
}

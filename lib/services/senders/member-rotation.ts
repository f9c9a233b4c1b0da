import type { Reader } from '#lib/db/client'
import type { SenderRotation, Shares } from '#lib/domain/campaigns/sender-rotation'
import type { Rotation } from '#lib/domain/sending/member-rotation'
import type { Sender } from '#lib/domain/sending/sender-limits'

type Rotating = { workspace_id: string; sender_rotation: SenderRotation; member_shares: Shares }

/**
 * Which members the senders are assigned to, for campaigns whose members take turns; empty if the sender with the most room takes each new
 * lead.
 */
export async function loadRotation(
  reader: Reader,
  { workspace_id, sender_rotation, member_shares }: Rotating,
  senders: readonly Sender[],
): Promise<{ rotation?: Rotation }> {
  if (sender_rotation !== 'members') return {}
  const { rows } = await reader.query<{ sender_id: string; user_id: string }>(
    `SELECT mailbox_id AS sender_id, user_id FROM mailbox_members WHERE workspace_id = $1 AND mailbox_id = ANY ($2::uuid[])
     UNION ALL SELECT account_id, user_id FROM account_members WHERE workspace_id = $1 AND account_id = ANY ($2::uuid[])
     ORDER BY 1, 2`,
    [workspace_id, senders.map(({ sender_id }) => sender_id)],
  )
  const members = new Map<string, string[]>()
  for (const { sender_id, user_id } of rows)
    members.set(sender_id, [...(members.get(sender_id) ?? []), user_id])
  return { rotation: { members, shares: member_shares } }
}

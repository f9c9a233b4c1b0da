import type { PoolClient } from 'pg'
import type { FoundLead } from '#lib/services/inbox/arrived-mail'
import { stopWaiting } from '#lib/services/leads/state/owner'

type Written = { inbound_message_id: string; received_at: Date; from: string; subject: string }

/**
 * Somebody wrote to the person by hand and goes on with them: no further step, here and, where the workspace asks for that of a
 * reply, anywhere else. It is a stop by the owner, who may take it back. Who answered and is written to again on a day that
 * they, a rule or a member named is still written to then. All their campaigns must be locked.
 */
export async function onWritten(
  client: PoolClient,
  { workspace_id, campaign_lead_id, email }: FoundLead,
  { inbound_message_id, received_at, from, subject }: Written,
  now: Date,
): Promise<void> {
  if (await isHeld(client, { workspace_id, email }, now)) return
  const { rows } = await client.query<{ campaign_id: string; ids: string[] }>(
    `SELECT l.campaign_id, array_agg(l.campaign_lead_id) AS ids FROM campaign_leads l JOIN workspaces w USING (workspace_id)
     WHERE l.workspace_id = $1 AND l.status IN ('pending', 'active')
       AND (l.campaign_lead_id = $2 OR (w.after_reply = 'everywhere' AND l.email = $3 AND l.created_at <= $4))
     GROUP BY l.campaign_id ORDER BY l.campaign_id`,
    [workspace_id, campaign_lead_id, email, received_at],
  )
  const detail = { inbound_message_id, from, subject: subject.slice(0, 500) }
  const why = { reason: 'written_by_hand', detail } as const
  for (const { campaign_id, ids } of rows)
    await stopWaiting(client, { campaign_id, workspace_id }, ids, now, why)
}

/** Until a day that somebody named; that a program said that they are away is no such thing. */
async function isHeld(
  client: PoolClient,
  { workspace_id, email }: Pick<FoundLead, 'workspace_id' | 'email'>,
  now: Date,
): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT 1 FROM absences a WHERE a.workspace_id = $1 AND a.email = $2 AND a.until > $3
       AND NOT EXISTS (SELECT 1 FROM inbound_messages i
         WHERE i.inbound_message_id = a.inbound_message_id AND i.kind = 'automatic_reply')`,
    [workspace_id, email.toLowerCase(), now],
  )
  return rows.length > 0
}

import type { Statements } from '#lib/db/statements'
import { lockCampaigns } from '#lib/services/campaigns/locks'
import { settleCampaigns } from '#lib/services/campaigns/state'
import { campaignsWithLeads } from '#lib/services/leads/endings'
import { stopWaiting } from '#lib/services/leads/state/owner'

/** A lead known only by its profile has no address. */
type Lead = { workspace_id: string; campaign_lead_id: string; email: string | null }

/** The message, by one of the two ids. */
type Written = {
  inbound_message_id?: string
  inbox_message_id?: string
  received_at: Date
  from: string
  /** Chat messages have no subject. */
  subject: string
}

/**
 * A person wrote to the lead by hand and takes over: the lead gets no further step here nor, if the workspace
 * does so for replies, in any other campaign. It counts as a stop by the owner, who may undo it. If the lead
 * had replied and a day to continue was named (by the lead, a rule or a member), the lead still continues on
 * that day. All campaigns of the lead must be locked.
 */
export async function onWritten(
  client: Statements,
  { workspace_id, campaign_lead_id, email }: Lead,
  { received_at, subject, ...written }: Written,
  now: Date,
): Promise<void> {
  if (email !== null && (await isHeld(client, workspace_id, email, now))) return
  const { rows } = await client.query<{ campaign_id: string; ids: string[] }>(
    `SELECT l.campaign_id, array_agg(l.campaign_lead_id) AS ids FROM campaign_leads l JOIN workspaces w USING (workspace_id)
     WHERE l.workspace_id = $1::uuid AND l.status IN ('pending', 'active')
       AND (l.campaign_lead_id = $2::uuid OR (w.after_reply = 'everywhere' AND l.email = $3 AND l.created_at <= $4))
     GROUP BY l.campaign_id ORDER BY l.campaign_id`,
    [workspace_id, campaign_lead_id, email, received_at],
  )
  const detail = { ...written, subject: subject.slice(0, 500) }
  const why = { reason: 'written_by_hand', detail } as const
  for (const { campaign_id, ids } of rows)
    await stopWaiting(client, { campaign_id, workspace_id }, ids, now, why)
}

type OfThread = { workspace_id: string; campaign_lead_id: string | null }

/**
 * The same for a message written in the inbox. No conversation may be locked yet, since campaigns are locked
 * first.
 */
export async function onWrittenInInbox(
  client: Statements,
  { workspace_id, campaign_lead_id }: OfThread,
  written: Omit<Written, 'received_at'>,
  now: Date,
): Promise<void> {
  const { rows } = await client.query<{ campaign_id: string; email: string | null }>(
    'SELECT campaign_id, email FROM campaign_leads WHERE campaign_lead_id = $1::uuid AND workspace_id = $2::uuid',
    [campaign_lead_id, workspace_id],
  )
  const { campaign_id, email } = rows[0] ?? {}
  if (!campaign_lead_id || !campaign_id || !email) return
  const elsewhere = await campaignsWithLeads(client, workspace_id, [email])
  const campaigns = [...new Set([campaign_id, ...elsewhere])]
  await lockCampaigns(client, campaigns)
  await onWritten(client, { workspace_id, campaign_lead_id, email }, { ...written, received_at: now }, now)
  await settleCampaigns(client, campaigns, now)
}

/** Whether a person named a day to continue; an absence reported by an automatic reply does not count. */
async function isHeld(client: Statements, workspace_id: string, email: string, now: Date): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT 1 FROM absences a WHERE a.workspace_id = $1::uuid AND a.email = $2 AND a.until > $3
       AND NOT EXISTS (SELECT 1 FROM inbound_messages i
         WHERE i.inbound_message_id = a.inbound_message_id AND i.kind = 'automatic_reply')`,
    [workspace_id, email.toLowerCase(), now],
  )
  return rows.length > 0
}

import type { PoolClient } from 'pg'
import { pool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import { lastDayAway } from '#lib/domain/inbox/absence/absence'
import { logged } from '#lib/services/campaigns/decision-log'
import { lockCampaigns } from '#lib/services/campaigns/locks'
import { settleCampaigns } from '#lib/services/campaigns/state'
import { noteAbsence } from '#lib/services/leads/absences'
import { campaignsWithLeads } from '#lib/services/leads/endings'
import { endElsewhere, endLead } from '#lib/services/leads/state/endings'
import { writeLeadLog } from '#lib/services/leads/told'

type HeldLead = { campaign_lead_id: string; workspace_id: string; email: string | null }
type Later = { until: string; evidence: string }
type Notice = { inbound_message_id: string; received_at: Date }

/**
 * Who asks to be written to from a day on gets nothing from any campaign before, and then the next step: as somebody who
 * is away until then. Null where the workspace would rather end them, where nothing is to come, and where the day is over;
 * then they end as by any other reply. All their campaigns must be locked.
 */
export async function holdUntilDay(
  client: PoolClient,
  { email, ...lead }: HeldLead,
  { until, evidence }: Later,
  notice: Notice,
  now: Date,
): Promise<Date | null> {
  if (email === null) return null
  const { rows } = await client.query(
    `SELECT 1 FROM campaign_leads l JOIN workspaces w USING (workspace_id)
     WHERE l.workspace_id = $1 AND l.campaign_lead_id = $2 AND w.after_later = 'hold'
       AND l.status IN ('pending', 'active')`,
    [lead.workspace_id, lead.campaign_lead_id],
  )
  if (rows.length === 0) return null
  const absence = { last_day: lastDayAway({ day: until, says: 'back' }), said: evidence, deputy: null }
  return noteAbsence(client, { ...lead, email }, absence, notice, now)
}

type Corrected = {
  workspace_id: string
  campaign_id: string
  campaign_lead_id: string
  step: number
  channel: string
  email: string
  intent: string | null
  until: string | null
  message_id: string
  is_held: boolean
}

const CORRECTED = `SELECT l.workspace_id, l.campaign_id, l.campaign_lead_id, l.current_step AS step, t.channel,
    lower(l.email) AS email, m.intent::text AS intent, to_char(m.intent_until, 'YYYY-MM-DD') AS until,
    coalesce(m.inbound_message_id, m.inbox_message_id) AS message_id,
    EXISTS (SELECT 1 FROM absences b WHERE b.workspace_id = l.workspace_id AND b.email = lower(l.email)
      AND b.inbound_message_id = coalesce(m.inbound_message_id, m.inbox_message_id) AND b.until > $3) AS is_held
  FROM threads t JOIN campaign_leads l USING (campaign_lead_id)
    JOIN inbox_messages m ON m.inbox_message_id = t.intent_message_id
  WHERE t.workspace_id = $1 AND t.thread_id = $2 AND l.email IS NOT NULL`

/**
 * A person says what a reply wants: of what follows from it, what has not happened yet. A lead that its words hold is held
 * until another day, or ends as by any other reply; one that ended stays so.
 */
export async function followCorrection(workspaceId: string, threadId: string, now: Date): Promise<void> {
  await inTransaction(pool(), async (client) => {
    const read = async () => (await client.query<Corrected>(CORRECTED, [workspaceId, threadId, now])).rows[0]
    const before = await read()
    if (!before) return
    const campaigns = await campaignsWithLeads(client, workspaceId, [before.email])
    await lockCampaigns(client, [...new Set([before.campaign_id, ...campaigns])])
    // What was read before may have changed until the locks were there.
    const lead = await read()
    if (!lead || lead.email !== before.email) return
    const isHeld = await holdAnew(client, lead, now)
    if (lead.is_held && !isHeld) await endHeld(client, lead, now)
    await settleCampaigns(client, campaigns, now)
  })
}

async function holdAnew(client: PoolClient, lead: Corrected, now: Date): Promise<boolean> {
  const { intent, until, message_id } = lead
  if (intent !== 'later' || until === null) return false
  const notice = { inbound_message_id: message_id, received_at: now }
  const held = await holdUntilDay(client, lead, { until, evidence: '' }, notice, now)
  if (!held) return false
  const detail = { until: held.toISOString() }
  const { campaign_lead_id } = lead
  await writeLeadLog(client, [logged(lead, 'hold_set', now, { campaign_lead_id, detail })])
  return true
}

async function endHeld(client: PoolClient, lead: Corrected, now: Date): Promise<void> {
  const { workspace_id, email, campaign_lead_id, message_id } = lead
  await client.query(
    'DELETE FROM absences WHERE workspace_id = $1 AND email = $2 AND inbound_message_id = $3',
    [workspace_id, email, message_id],
  )
  await endLead(client, lead, { status: 'replied', reason: null }, now)
  await endElsewhere(client, lead, email, now)
  await writeLeadLog(client, [logged(lead, 'hold_lifted', now, { campaign_lead_id, detail: {} })])
}

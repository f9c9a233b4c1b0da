import type { PoolClient } from 'pg'
import { lastDayAway } from '#lib/domain/inbox/absence/absence'
import { noteAbsences } from '#lib/services/leads/absences'

type HeldLead = { campaign_lead_id: string; workspace_id: string; email: string | null }
type Asked = { until: string; evidence: string }
type Notice = { inbound_message_id: string; received_at: Date }

/**
 * Holds a person who asked to be contacted again from a day on: no campaign contacts them before that day,
 * then the next step follows, as after an absence. Null if no step is ahead or the day is past; the leads
 * then end as after any other reply. All their campaigns must be locked.
 */
export async function holdUntilDay(
  client: PoolClient,
  { email, ...lead }: HeldLead,
  { until, evidence }: Asked,
  notice: Notice,
  now: Date,
): Promise<Date | null> {
  if (email === null) return null
  const { rows } = await client.query(
    `SELECT 1 FROM campaign_leads WHERE workspace_id = $1 AND campaign_lead_id = $2 AND status IN ('pending', 'active')`,
    [lead.workspace_id, lead.campaign_lead_id],
  )
  if (rows.length === 0) return null
  const absence = { last_day: lastDayAway({ day: until, says: 'back' }), said: evidence, deputy: null }
  const held = await noteAbsences(client, [{ lead: { ...lead, email }, absence, notice }], now)
  return held.get(lead.campaign_lead_id) ?? null
}

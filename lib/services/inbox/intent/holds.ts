import type { PoolClient } from 'pg'
import { lastDayAway } from '#lib/domain/inbox/absence/absence'
import { noteAbsences } from '#lib/services/leads/absences'

type HeldLead = { campaign_lead_id: string; workspace_id: string; email: string | null }
type Asked = { until: string; evidence: string }
type Notice = { inbound_message_id: string; received_at: Date }

/**
 * Whoever is to be written to again from a day on gets nothing from any campaign before, and then the next step: as somebody
 * who is away until then. Null where nothing is to come, and where the day is over; then they end as by any other reply. All
 * their campaigns must be locked.
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

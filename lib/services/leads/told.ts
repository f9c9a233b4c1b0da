import type { Statements } from '#lib/db/statements'
import type { LeadStatus } from '#lib/domain/campaigns/campaign-status'
import { type Notice, type Told, tell } from '#lib/services/telling/tell'

/** What is said of a lead that has just moved. */
export type MovedLead = {
  user_id: string
  campaign_id: string
  campaign_lead_id: string
  email: string | null
  lead_index: number
  current_step: number
  reason: string | null
  status: LeadStatus
}

/** SQL of it, of a lead `l`. */
export const MOVED = `l.user_id, l.campaign_id, l.campaign_lead_id, l.email, l.lead_index, l.current_step, l.reason,
  l.status::text AS status`

/** Tells of leads that bounced, or have had every step. Of answers and complaints whoever read them tells more. */
export async function tellOfEndings(client: Statements, leads: MovedLead[], at: Date): Promise<void> {
  const events: Told[] = []
  const notices: Notice[] = []
  for (const lead of leads) {
    const { user_id, campaign_id, campaign_lead_id, email, lead_index, reason, status } = lead
    if (status !== 'bounced' && status !== 'completed') continue
    const data = { campaign_id, campaign_lead_id, email, lead_index, step: lead.current_step, reason }
    events.push({ type: `lead.${status}`, user_id, at, data })
    const said = { email, reason: reason?.slice(0, 200) ?? null }
    if (status === 'bounced')
      notices.push({ user_id, kind: 'bounce', campaign_id, campaign_lead_id, data: said })
  }
  await tell(client, events, notices)
}

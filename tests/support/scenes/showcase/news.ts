import { db, pool } from '#lib/db/client'
import { type Notice, type Told, tell } from '#lib/services/telling/tell'
import type { Owner } from './outreach.ts'

const HOUR = 3_600_000

/** Webhook events and notifications of the owner from the progress and the end of the campaign's leads. */
export async function someNews({ workspace_id }: Owner, campaign_id: string, now: Date) {
  const campaign = await db.campaign.findUniqueOrThrow({ where: { campaign_id } })
  const leads = await db.campaignLead.findMany({ where: { campaign_id }, orderBy: { lead_index: 'asc' } })
  const events = leads.flatMap(({ campaign_lead_id, email, lead_index, status }, index): Told[] => {
    const at = new Date(now.getTime() - (leads.length - index) * HOUR)
    const lead = { campaign_id, campaign_lead_id, email, lead_index, step: 1 }
    if (status === 'replied')
      return [{ type: 'lead.replied', workspace_id, at, data: { ...lead, reason: null, channel: 'email' } }]
    if (status === 'bounced')
      return [{ type: 'lead.bounced', workspace_id, at, data: { ...lead, reason: 'hard_bounce' } }]
    if (status === 'unsubscribed')
      return [
        { type: 'lead.unsubscribed', workspace_id, at, data: { ...lead, reason: null, channel: 'email' } },
      ]
    return []
  })
  const { name, status, total_leads, processed_leads, sent_count, replied_count, bounced_count } = campaign
  const counts = { total_leads, processed_leads, sent_count, replied_count, bounced_count }
  const launched = { campaign_id, name, status, reason: null, ...counts }
  const notices = leads.flatMap(({ campaign_lead_id, email, status }): Notice[] => {
    const about = { workspace_id, campaign_id, campaign_lead_id, data: { name, email } }
    if (status === 'replied') return [{ ...about, kind: 'reply' }]
    return status === 'bounced' ? [{ ...about, kind: 'bounce' }] : []
  })
  await tell(
    pool(),
    [{ type: 'campaign.launched', workspace_id, at: now, data: launched }, ...events],
    [
      ...notices,
      { workspace_id, kind: 'campaign_paused', campaign_id, data: { name, reason: 'bounce_rate' } },
    ],
  )
}

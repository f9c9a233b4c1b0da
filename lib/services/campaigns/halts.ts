import type { PoolClient } from 'pg'
import { prepared } from '#lib/db/prepared'
import { haltReason } from '#lib/domain/sending/sending-health'
import { pauseCampaigns } from '#lib/services/campaigns/state'

type Counted = {
  campaign_id: string
  sends: number
  hard_bounces: number
  complaints: number
}

/**
 * Pauses those of the (locked) campaigns that have too many bounces or complaints. Rates are of messages offered, including those
 * permanently refused at once. Returns the paused campaigns.
 */
export async function haltUnhealthy(client: PoolClient, campaignIds: string[], now: Date): Promise<string[]> {
  const { rows } = await client.query<Counted>(
    prepared(
      `SELECT campaign_id, bounced_count AS hard_bounces, complained_count AS complaints,
         sent_count + uncertain_count + (SELECT count(*)::int FROM actions a
           WHERE a.campaign_id = c.campaign_id AND a.status = 'failed' AND a.outcome = 'refused_for_good') AS sends
       FROM campaigns c WHERE campaign_id = ANY ($1) AND status IN ('active', 'draining')`,
      [campaignIds],
    ),
  )
  const halts = rows.flatMap((row) => {
    const reason = haltReason(row)
    const detail = { sends: row.sends, hard_bounces: row.hard_bounces, complaints: row.complaints }
    return reason ? [{ campaign_id: row.campaign_id, reason, detail }] : []
  })
  return pauseCampaigns(client, 'halt', halts, now)
}

import type { PoolClient } from 'pg'
import { prepared } from '#lib/db/prepared'

/**
 * Moves campaigns on by what their leads have become: none left pending or active → completed; every lead past its first
 * step or over → draining. One that waits before its first step (for a text, for a sender, under way) keeps its campaign
 * active. The counters kept by the triggers make it one row read per campaign.
 */
export async function settleCampaigns(client: PoolClient, campaignIds: string[], now: Date): Promise<void> {
  await client.query(
    prepared(
      `UPDATE campaigns c SET
       status = CASE WHEN c.processed_leads >= coalesce(c.total_leads, 0) THEN 'completed' ELSE 'draining' END::"CampaignStatus",
       completed_at = CASE WHEN c.processed_leads >= coalesce(c.total_leads, 0) THEN $2::timestamptz END,
       next_slot_at = CASE WHEN c.processed_leads >= coalesce(c.total_leads, 0) THEN NULL ELSE c.next_slot_at END
     WHERE c.campaign_id = ANY ($1) AND c.status IN ('active', 'draining')
       AND (c.processed_leads >= coalesce(c.total_leads, 0)
         OR (c.status = 'active' AND NOT EXISTS (
           SELECT 1 FROM campaign_leads l WHERE l.campaign_id = c.campaign_id AND l.status = 'pending')
           AND NOT EXISTS (SELECT 1 FROM campaign_leads l
             WHERE l.campaign_id = c.campaign_id AND l.status = 'active' AND l.next_step = 1)))`,
      [campaignIds, now],
    ),
  )
}

/** Every lock of leads comes after the lock of their campaigns, in one order, so that no two workers wait for each other. */
export async function lockCampaigns(client: PoolClient, campaignIds: string[]): Promise<void> {
  await client.query(
    prepared('SELECT 1 FROM campaigns WHERE campaign_id = ANY ($1) ORDER BY campaign_id FOR NO KEY UPDATE', [
      campaignIds,
    ]),
  )
}

/** An owner's campaigns that run, locked in that order: before their senders, as claims lock them. */
export async function lockRunning(client: PoolClient, userId: string): Promise<string[]> {
  const { rows } = await client.query<{ campaign_id: string }>(
    `SELECT campaign_id FROM campaigns WHERE user_id = $1 AND status IN ('active', 'draining')
     ORDER BY campaign_id FOR NO KEY UPDATE`,
    [userId],
  )
  return rows.map((row) => row.campaign_id)
}

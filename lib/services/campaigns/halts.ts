import type { PoolClient } from 'pg'
import { haltReason } from '#lib/domain/sending/sending-health'
import { logged, writeLog } from '#lib/services/campaigns/decision-log'

type Counted = {
  campaign_id: string
  user_id: string
  sends: number
  hard_bounces: number
  complaints: number
}

/**
 * Pauses those of the campaigns, which must be locked, whose bounces or complaints have become too many. Sends are the
 * messages offered: what was refused at once for good is counted too. Answers the campaigns paused.
 */
export async function haltUnhealthy(client: PoolClient, campaignIds: string[], now: Date): Promise<string[]> {
  const { rows } = await client.query<Counted>(
    `SELECT campaign_id, user_id, bounced_count AS hard_bounces, complained_count AS complaints,
       sent_count + uncertain_count + (SELECT count(*)::int FROM actions a
         WHERE a.campaign_id = c.campaign_id AND a.status = 'failed' AND a.outcome = 'refused_for_good') AS sends
     FROM campaigns c WHERE campaign_id = ANY ($1) AND status IN ('active', 'draining')`,
    [campaignIds],
  )
  const halts = rows.flatMap((row) => {
    const reason = haltReason(row)
    return reason ? [{ ...row, reason }] : []
  })
  if (halts.length === 0) return []
  await client.query(
    `UPDATE campaigns c SET status = 'paused', paused_from = c.status, paused_reason = h.reason, next_slot_at = NULL
     FROM unnest($1::uuid[], $2::text[]) h (campaign_id, reason) WHERE c.campaign_id = h.campaign_id`,
    [halts.map((halt) => halt.campaign_id), halts.map((halt) => halt.reason)],
  )
  await writeLog(
    client,
    halts.map(({ reason, sends, hard_bounces, complaints, ...campaign }) =>
      logged(campaign, 'paused', now, { reason, detail: { sends, hard_bounces, complaints } }),
    ),
  )
  return halts.map((halt) => halt.campaign_id)
}

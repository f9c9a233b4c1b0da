import type { Pool } from 'pg'
import { inTransaction } from '#lib/db/transaction'
import { AppError } from '#lib/errors'
import { resumeCampaign } from '#lib/services/launch/lifecycle'
import { WORKS } from '#lib/services/senders/sender-failures'

/**
 * Connected again: the campaigns that paused because this account was lost go on, and those that were resumed without it
 * look at the leads that wait for it; nothing is caught up in a burst.
 */
export async function regainAccount(pool: Pool, accountId: string, now: Date): Promise<void> {
  await inTransaction(pool, async (client) => {
    // Campaigns first, then the account: the order in which claims lock them.
    await client.query(
      `SELECT 1 FROM campaigns c JOIN connected_accounts a USING (user_id)
       WHERE a.account_id = $1 AND c.status IN ('active', 'draining') ORDER BY c.campaign_id FOR NO KEY UPDATE OF c`,
      [accountId],
    )
    const { rows: found } = await client.query<{ user_id: string }>(
      `UPDATE connected_accounts SET status = 'connected', status_reason = NULL, last_checked_at = $2, updated_at = $2,
         ${WORKS}
       WHERE account_id = $1 RETURNING user_id`,
      [accountId, now],
    )
    await client.query(
      `UPDATE campaigns SET next_slot_at = $2 WHERE user_id = $1 AND status IN ('active', 'draining')
         AND steps_config @> '[{"channel": "social"}]' AND (next_slot_at IS NULL OR next_slot_at > $2)`,
      [found[0]?.user_id ?? null, now],
    )
  })
  const { rows } = await pool.query<{ campaign_id: string; user_id: string }>(
    `SELECT c.campaign_id, c.user_id FROM campaigns c
     JOIN connected_accounts a ON a.account_id = $1 AND a.user_id = c.user_id
     JOIN LATERAL (SELECT e.detail FROM campaign_events e WHERE e.campaign_id = c.campaign_id AND e.kind = 'paused'
       ORDER BY e.at DESC, e.event_id DESC LIMIT 1) last ON last.detail ->> 'account_id' = $1::text
     WHERE c.status = 'paused' AND c.paused_reason = 'sender_disconnected'`,
    [accountId],
  )
  for (const { user_id, campaign_id } of rows)
    await resumeCampaign(user_id, campaign_id, now).catch((error: unknown) => {
      // Its owner was quicker.
      if (!(error instanceof AppError) || error.code !== 'campaign_not_resumable') throw error
    })
}

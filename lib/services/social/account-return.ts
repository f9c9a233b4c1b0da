import type { Pool } from 'pg'
import { inTransaction } from '#lib/db/transaction'
import { AppError } from '#lib/errors'
import { wakeCampaigns } from '#lib/services/campaigns/state'
import { resumeCampaign } from '#lib/services/launch/lifecycle'
import { WORKS } from '#lib/services/senders/sender-failures'

/** The owner resumed it first, or its maker may no longer use the account: the other campaigns go on. */
const STAYS_PAUSED: AppError['code'][] = ['campaign_not_resumable', 'conflict', 'sender_not_given']

/**
 * After an account is connected again: campaigns that paused because it was lost resume, and campaigns that were resumed without it look
 * again at the leads that wait for it. Nothing is caught up in a burst.
 */
export async function regainAccount(pool: Pool, accountId: string, now: Date): Promise<void> {
  await inTransaction(pool, async (client) => {
    // Campaigns before the account: the order in which claims lock them.
    const { rows: running } = await client.query<{ campaign_id: string }>(
      `SELECT c.campaign_id FROM campaigns c JOIN connected_accounts a USING (workspace_id)
       WHERE a.account_id = $1 AND c.status IN ('active', 'draining') AND c.steps_config @> '[{"channel": "social"}]'
       ORDER BY c.campaign_id FOR NO KEY UPDATE OF c`,
      [accountId],
    )
    await client.query(
      `UPDATE connected_accounts SET status = 'connected', status_reason = NULL, last_checked_at = $2, updated_at = $2,
         ${WORKS}
       WHERE account_id = $1`,
      [accountId, now],
    )
    const ids = running.map((row) => row.campaign_id)
    await wakeCampaigns(client, ids, now)
  })
  const { rows } = await pool.query<{ campaign_id: string; workspace_id: string }>(
    `SELECT c.campaign_id, c.workspace_id FROM campaigns c
     JOIN connected_accounts a ON a.account_id = $1 AND a.workspace_id = c.workspace_id
     JOIN LATERAL (SELECT e.detail FROM campaign_events e WHERE e.campaign_id = c.campaign_id AND e.kind = 'paused'
       ORDER BY e.at DESC, e.event_id DESC LIMIT 1) last ON last.detail ->> 'account_id' = $1::text
     WHERE c.status = 'paused' AND c.paused_reason = 'sender_disconnected'`,
    [accountId],
  )
  for (const { workspace_id, campaign_id } of rows)
    await resumeCampaign(workspace_id, campaign_id, now, 'sender_disconnected').catch((error: unknown) => {
      if (!(error instanceof AppError) || !STAYS_PAUSED.includes(error.code)) throw error
    })
}

import type { Pool, PoolClient } from 'pg'
import type { Statements } from '#lib/db/statements'
import { inTransaction } from '#lib/db/transaction'
import { lockRunning } from '#lib/services/campaigns/locks'
import { pauseCampaigns } from '#lib/services/campaigns/state'
import { WORKS } from '#lib/services/senders/sender-failures'
import { tellOfLost } from '#lib/services/senders/told'

/**
 * Marks an account that its owner must sign in to again; it does nothing until then. Campaigns whose leads it serves, or that have no other
 * account left, are paused with the reason.
 */
export async function loseAccount(pool: Pool, accountId: string, reason: string, now: Date): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ workspace_id: string }>(
      'SELECT workspace_id FROM connected_accounts WHERE account_id = $1',
      [accountId],
    )
    const owner = rows[0]?.workspace_id
    if (!owner) return
    // Campaigns before the account: the order in which claims lock them.
    const running = await lockRunning(client, owner)
    const said = reason.slice(0, 1_000)
    if (!(await disconnectAccount(client, accountId, said, now))) return
    await pauseThoseThatNeed(client, { owner, accountId, campaignIds: running, said }, now)
  })
}

/** Marks an account's row as disconnected; false if it was already. */
export async function disconnectAccount(
  client: Statements,
  accountId: string,
  reason: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await client.query<Parameters<typeof tellOfLost>[2]>(
    `UPDATE connected_accounts SET status = 'disconnected', status_reason = $2, last_checked_at = $3, updated_at = $3, ${WORKS}
     WHERE account_id = $1 AND status <> 'disconnected' RETURNING workspace_id, provider, name, status_reason`,
    [accountId, reason.slice(0, 1_000), now],
  )
  for (const lost of rows) await tellOfLost(client, accountId, lost, now)
  return rows.length > 0
}

type Lost = { owner: string; accountId: string; campaignIds: string[]; said: string }

async function pauseThoseThatNeed(client: PoolClient, lost: Lost, now: Date): Promise<void> {
  const { rows } = await client.query<{ campaign_id: string }>(
    `SELECT c.campaign_id FROM campaigns c
     WHERE c.campaign_id = ANY ($3) AND c.status IN ('active', 'draining')
       AND c.steps_config @> '[{"channel": "social"}]'
       AND (c.connected_account_id = $2 OR EXISTS (SELECT 1 FROM campaign_leads l WHERE l.campaign_id = c.campaign_id AND l.status = 'active'
           AND (l.connected_account_id = $2 OR l.next_sender_id = $2))
         OR NOT EXISTS (SELECT 1 FROM connected_accounts a WHERE a.workspace_id = $1 AND a.status <> 'disconnected'))`,
    [lost.owner, lost.accountId, lost.campaignIds],
  )
  const detail = { account_id: lost.accountId, error: lost.said }
  const pauses = rows.map((row) => ({ ...row, reason: 'sender_disconnected' as const, detail }))
  await pauseCampaigns(client, 'halt', pauses, now)
}

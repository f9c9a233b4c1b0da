import { pool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import type { RecipientProvider } from '#lib/domain/domains/recipient-provider'
import { AppError } from '#lib/errors'
import { lockCampaigns } from '#lib/services/campaigns/locks'
import { wakeCampaigns } from '#lib/services/campaigns/state'
import { wakePutOff } from '#lib/services/leads/state/put-off'

/** Ends a mailbox's pause for a provider. Waiting leads are due at once, and earlier refusals no longer count. */
export async function resumeProvider(
  workspace_id: string,
  mailbox_id: string,
  provider: RecipientProvider,
  now: Date,
): Promise<{ provider: RecipientProvider; resumed: boolean }> {
  return inTransaction(pool(), async (client) => {
    const { rows: known } = await client.query(
      'SELECT 1 FROM mailboxes WHERE workspace_id = $1 AND mailbox_id = $2',
      [workspace_id, mailbox_id],
    )
    if (known.length === 0) throw new AppError('mailbox_not_found')
    const waiting = `SELECT l.campaign_lead_id, l.campaign_id FROM campaign_leads l
        JOIN recipient_domains r ON r.domain = split_part(l.email, '@', 2)
      WHERE l.workspace_id = $1 AND l.status = 'active' AND l.reason = 'provider_paused'
        AND l.next_action_at = l.put_off_until AND r.provider::text = $3 AND (l.mailbox_id = $2 OR l.mailbox_id IS NULL)`
    const asked = [workspace_id, mailbox_id, provider]
    // Campaigns before leads, the order claims lock in; the waiting leads are read again under the locks.
    const { rows: before } = await client.query<{ campaign_id: string }>(waiting, asked)
    await lockCampaigns(client, [...new Set(before.map((lead) => lead.campaign_id))])
    const { rows: ended } = await client.query(
      `UPDATE provider_pauses SET until = $4 WHERE workspace_id = $1 AND mailbox_id = $2 AND provider::text = $3
         AND until > $4 RETURNING provider`,
      [...asked, now],
    )
    const locked = new Set(before.map((lead) => lead.campaign_id))
    const { rows } = await client.query<{ campaign_lead_id: string; campaign_id: string }>(waiting, asked)
    const woken = ended.length === 0 ? [] : rows.filter((lead) => locked.has(lead.campaign_id))
    await wakePutOff(
      client,
      woken.map(({ campaign_lead_id }) => ({ campaign_lead_id, at: now })),
    )
    await wakeCampaigns(client, [...new Set(woken.map((lead) => lead.campaign_id))], now)
    return { provider, resumed: ended.length > 0 }
  })
}

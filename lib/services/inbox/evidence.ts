import type { PoolClient } from 'pg'
import { logged, writeLog } from '#lib/services/campaigns/decision-log'
import type { Found } from '#lib/services/inbox/arrived-mail'
import { proveSent } from '#lib/services/leads/ledger'

/**
 * A mail that names a message proves that the message left. What was uncertain, or still under way, is settled; the lead
 * went on as if it had been sent, so nothing else moves. A match by address proves nothing.
 */
export async function settleByEvidence(client: PoolClient, { match, lead }: Found, why: string, now: Date) {
  if (!lead || !['return_path', 'message_id', 'unsubscribe_token', 'quoted_link'].includes(match.how)) return
  if (!(await proveSent(client, lead.action_id, why, now))) return
  await writeLog(client, [
    logged(lead, 'resolved_sent', now, {
      campaign_lead_id: lead.campaign_lead_id,
      step: lead.step,
      channel: lead.channel,
      reason: why,
      detail: { action_id: lead.action_id },
    }),
  ])
}

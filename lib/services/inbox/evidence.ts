import type { PoolClient } from 'pg'
import { logged, writeLog } from '#lib/services/campaigns/decision-log'
import type { Found, FoundLead } from '#lib/services/inbox/arrived-mail'
import { doubtedAmong, proveSent } from '#lib/services/leads/ledger'

type Shown = Found & { why: string }

/**
 * A mail that refers to a message proves that the message was sent, so uncertain actions and those under way are settled. The lead
 * has moved on as if it was sent, so nothing else changes. A match by address alone proves nothing.
 */
export async function settleByEvidence(
  client: PoolClient,
  mails: readonly Shown[],
  now: Date,
): Promise<void> {
  const proofs = mails.flatMap(({ match, lead, why }) =>
    lead && PROVES.has(match.how) ? [{ lead, why }] : [],
  )
  const doubted = await doubtedAmong(
    client,
    proofs.map(({ lead }) => lead.action_id),
  )
  for (const { lead, why } of proofs) if (doubted.has(lead.action_id)) await settle(client, lead, why, now)
}

const PROVES: ReadonlySet<string> = new Set(['return_path', 'message_id', 'unsubscribe_token', 'quoted_link'])

async function settle(client: PoolClient, lead: FoundLead, why: string, now: Date): Promise<void> {
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

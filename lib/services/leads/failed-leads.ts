import type { PoolClient } from 'pg'
import type { Output } from '#lib/contracts/contract'
import type { RetryCampaignLeads } from '#lib/contracts/leads/lead-stops'
import { pool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import type { LeadStatus } from '#lib/domain/campaigns/campaign-status'
import { staysFailed } from '#lib/domain/leads/failed-lead'
import type { LedgerStatus } from '#lib/domain/leads/uncertain'
import { logged, writeLog } from '#lib/services/campaigns/decision-log'
import { type LockedCampaign, lockedCampaign, lockLeads } from '#lib/services/campaigns/locks'
import { goOn } from '#lib/services/campaigns/state'
import { withdrawFailed } from '#lib/services/leads/ledger'
import { leadsOnList } from '#lib/services/leads/on-list'
import { forgetGoneSenders } from '#lib/services/leads/state/gone-senders'
import { tryAgain } from '#lib/services/leads/state/owner'

type Answer = Output<typeof RetryCampaignLeads>

type Last = {
  action_id: string
  step: number
  status: LedgerStatus
  channel: string
  action_type: string
  message_id: string | null
  response: string | null
  attempts: number
  /** When the failure became known. */
  at: Date
}

type FailedLead = {
  campaign_lead_id: string
  status: LeadStatus
  last: Last | null
  suppressed: boolean
  readdressed: boolean
}

/**
 * Lets leads whose step failed before anything was accepted try it again, at the owner's request: the cause
 * may have been fixed. Limits, windows and the contact policy apply as to any other step. A completed
 * campaign becomes active again.
 */
export async function retryLeads(
  workspaceId: string,
  campaignId: string,
  leadIds: string[],
  now: Date,
): Promise<Answer> {
  const ids = [...new Set(leadIds)]
  return inTransaction(pool(), async (client) => {
    const campaign = await lockedCampaign(client, workspaceId, campaignId)
    const known = await failedLeads(client, campaign, ids)
    const unchanged: Answer['unchanged'] = []
    const again: (Last & { campaign_lead_id: string })[] = []
    for (const campaign_lead_id of ids) {
      const lead = known.get(campaign_lead_id)
      const reason = lead ? staysFailed(lead, campaign.steps_config) : 'not_found'
      if (reason !== null) unchanged.push({ campaign_lead_id, reason })
      else if (lead?.last) again.push({ ...lead.last, campaign_lead_id })
    }
    await moveLeads(client, campaign, again, now)
    return { changed: again.map(({ campaign_lead_id }) => campaign_lead_id), unchanged }
  })
}

/** The requested leads that exist, by id. */
async function failedLeads(client: PoolClient, { campaign_id, workspace_id }: LockedCampaign, ids: string[]) {
  await lockLeads(client, campaign_id, ids)
  const { rows } = await client.query<FailedLead>(
    `SELECT l.campaign_lead_id, l.status::text AS status, r.email IS DISTINCT FROM l.email AS readdressed,
       EXISTS (SELECT 1 FROM effective_suppressions s WHERE s.workspace_id = l.workspace_id
         AND s.value IN (l.email, '@' || split_part(l.email, '@', 2))) AS suppressed,
       (SELECT jsonb_build_object('action_id', a.action_id, 'step', a.step, 'status', a.status, 'channel', a.channel,
          'action_type', a.action_type, 'message_id', a.message_id, 'response', a.response, 'attempts', a.attempts,
          'at', floor(extract(epoch FROM coalesce(a.recorded_at, a.performed_at)) * 1000))
        FROM actions a WHERE a.campaign_lead_id = l.campaign_lead_id ORDER BY a.step DESC LIMIT 1) AS last
     FROM campaign_leads l JOIN dataset_rows r ON r.dataset_id = l.dataset_id AND r.lead_index = l.lead_index
     WHERE l.campaign_lead_id = ANY ($1) AND l.campaign_id = $2`,
    [ids, campaign_id],
  )
  const named = await leadsOnList(client, workspace_id, ids)
  return new Map(
    rows.map(({ last, ...row }) => [
      row.campaign_lead_id,
      {
        ...row,
        last: last && { ...last, at: new Date(last.at) },
        suppressed: row.suppressed || named.has(row.campaign_lead_id),
      },
    ]),
  )
}

async function moveLeads(
  client: PoolClient,
  campaign: LockedCampaign,
  again: (Last & { campaign_lead_id: string })[],
  now: Date,
): Promise<void> {
  if (again.length === 0) return
  await forgetGoneSenders(
    client,
    again.map(({ campaign_lead_id }) => campaign_lead_id),
  )
  await writeLog(
    client,
    again.map(({ campaign_lead_id, step, channel, response, at, action_id, attempts }) =>
      logged(campaign, 'failed', at, {
        campaign_lead_id,
        step,
        channel,
        reason: response,
        detail: { action_id, attempts },
      }),
    ),
  )
  await withdrawFailed(
    client,
    again.map(({ action_id }) => action_id),
  )
  await tryAgain(client, campaign, again, now)
  const due = { campaign_id: campaign.campaign_id, at: now, is_new: false }
  await goOn(client, due, 'Retrying failed leads.', now)
}

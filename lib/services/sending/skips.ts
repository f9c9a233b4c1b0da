import type { PoolClient } from 'pg'
import type { Channel } from '#lib/domain/campaigns/step-conditions'
import type { Plan } from '#lib/domain/sending/dispatch-policy'
import { skipSteps } from '#lib/services/leads/state'
import type { DueCampaign, WaitingLead } from '#lib/services/sending/load'
import { waitingSender } from '#lib/services/sending/waiting-leads'

/** A lead may skip several steps at one slot: the last says where it stands. */
export function skippedLeads(campaign: DueCampaign, plan: Plan, waiting: WaitingLead[]) {
  const byIndex = new Map(waiting.map((lead) => [lead.lead_index, lead]))
  const acted = new Set(plan.actions.map((action) => action.lead_index))
  return plan.skips.flatMap((skip) => {
    const lead = byIndex.get(skip.lead_index)
    if (!lead) return []
    const following = skip.next && campaign.steps_config[skip.next.step - 1]
    return {
      ...skip,
      lead,
      // Null: its condition did not hold.
      reason: unreached(lead, campaign.steps_config[skip.step - 1]?.channel),
      acted: acted.has(skip.lead_index),
      next_action_type: following?.action_type ?? null,
      next_sender_id: skip.next ? waitingSender({ ...lead, next_step: skip.next.step }, campaign) : null,
    }
  })
}

function unreached(lead: WaitingLead, channel: Channel | undefined): string | null {
  if (channel === 'email') return lead.email ? null : 'The lead has no address.'
  return lead.social_problem ?? (lead.social_profile ? null : 'The row names no profile.')
}

type SkippedLead = ReturnType<typeof skippedLeads>[number]

/**
 * Steps whose condition did not hold, or whose channel does not reach the lead: kept in the ledger, so that no later look
 * performs them. One that was refused for now, and may not be tried again, gives up its row; what was refused stands in the log.
 */
export async function writeSkips(client: PoolClient, campaign: DueCampaign, skips: SkippedLead[], now: Date) {
  if (skips.length === 0) return
  const { rowCount } = await client.query(
    `INSERT INTO actions AS a (campaign_lead_id, campaign_id, user_id, step, channel, action_type, status, performed_at,
       attempts, recorded_at, response)
     SELECT s.campaign_lead_id, $1, $2, s.step, s.channel, s.action_type, 'skipped', s.at, 0, s.at, s.reason
     FROM unnest($3::uuid[], $4::int[], $5::text[], $6::text[], $7::timestamptz[], $8::text[])
       s (campaign_lead_id, step, channel, action_type, at, reason)
     ON CONFLICT (campaign_lead_id, step) DO UPDATE SET status = 'skipped', outcome = NULL,
       performed_at = excluded.performed_at, recorded_at = excluded.recorded_at, response = excluded.response
     WHERE a.status = 'retry'`,
    [
      campaign.campaign_id,
      campaign.user_id,
      skips.map((skip) => skip.lead.campaign_lead_id),
      skips.map((skip) => skip.step),
      skips.map((skip) => campaign.steps_config[skip.step - 1]?.channel),
      skips.map((skip) => campaign.steps_config[skip.step - 1]?.action_type),
      skips.map((skip) => new Date(skip.at)),
      skips.map((skip) => skip.reason),
    ],
  )
  if (rowCount !== skips.length) throw new Error('A step to be skipped was performed before.')
  const standing = [
    ...new Map(skips.filter((skip) => !skip.acted).map((skip) => [skip.lead_index, skip])).values(),
  ]
  await skipSteps(
    client,
    standing.map(({ lead, next, next_action_type, next_sender_id, at }) => ({
      campaign_lead_id: lead.campaign_lead_id,
      next: next && { step: next.step, due_at: new Date(next.due_at), action_type: next_action_type },
      sender_id: next_sender_id,
      at: new Date(at),
    })),
    now,
  )
}

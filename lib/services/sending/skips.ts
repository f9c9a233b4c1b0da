import type { PoolClient } from 'pg'
import type { Plan } from '#lib/domain/sending/dispatch-policy'
import { passOver } from '#lib/services/leads/ledger'
import type { PutOffLead } from '#lib/services/leads/state/put-off'
import { skipSteps } from '#lib/services/leads/state/steps'
import type { DueCampaign, WaitingLead } from '#lib/services/sending/load'
import { whyUnreached } from '#lib/services/sending/out-of-reach'
import { waitingSender } from '#lib/services/sending/waiting-leads'

/** A lead may skip several steps in one slot; its position afterwards is that after the last of them. */
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
      reason: whyUnreached(lead, campaign.steps_config[skip.step - 1]?.channel),
      acted: acted.has(skip.lead_index),
      next_action_type: following?.action_type ?? null,
      next_sender_id: skip.next ? waitingSender({ ...lead, next_step: skip.next.step }, campaign) : null,
    }
  })
}

type SkippedLead = ReturnType<typeof skippedLeads>[number]

/**
 * Records skipped steps (condition not met, or the channel does not reach the lead) in the ledger, so that no later claim performs
 * them. A temporarily refused action that may not be retried gives up its row to the skip; its refusal stays in the log.
 */
export async function writeSkips(client: PoolClient, campaign: DueCampaign, skips: SkippedLead[], now: Date) {
  if (skips.length === 0) return
  const written = await passOver(
    client,
    campaign,
    skips.map((skip) => ({
      campaign_lead_id: skip.lead.campaign_lead_id,
      step: skip.step,
      channel: campaign.steps_config[skip.step - 1]?.channel,
      action_type: campaign.steps_config[skip.step - 1]?.action_type,
      at: new Date(skip.at),
      reason: skip.reason,
    })),
  )
  if (written !== skips.length) throw new Error('A step to be skipped was performed before.')
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

/** Leads whose turn came while their person was away or in another campaign. */
export function putOffInPlan(campaign: DueCampaign, plan: Plan, waiting: WaitingLead[]): PutOffLead[] {
  const byIndex = new Map(waiting.map((lead) => [lead.lead_index, lead]))
  return plan.put_off.flatMap(({ lead_index, step, until, hold }) => {
    const lead = byIndex.get(lead_index)
    const config = campaign.steps_config[step - 1]
    if (!lead || !config) return []
    const { campaign_lead_id } = lead
    const { channel, action_type } = config
    // Logged once, however often the lead is put off; a woken lead that finds its person taken again is a new wait.
    const isNews = hold === null || lead.reason !== hold.code || hold.code === 'person_busy'
    return [{ campaign_lead_id, step, until: new Date(until), channel, action_type, hold, isNews }]
  })
}

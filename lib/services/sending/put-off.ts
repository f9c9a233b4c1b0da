import type { Plan } from '#lib/domain/sending/dispatch-policy'
import type { PutOffLead } from '#lib/services/leads/state/put-off'
import type { DueCampaign, WaitingLead } from '#lib/services/sending/load'

/** The leads of a plan whose turn came while their person was away, or another campaign had them. */
export function putOffInPlan(campaign: DueCampaign, plan: Plan, waiting: WaitingLead[]): PutOffLead[] {
  const byIndex = new Map(waiting.map((lead) => [lead.lead_index, lead]))
  return plan.put_off.flatMap(({ lead_index, step, until, hold }) => {
    const lead = byIndex.get(lead_index)
    const config = campaign.steps_config[step - 1]
    if (!lead || !config) return []
    const { campaign_lead_id } = lead
    const { channel, action_type } = config
    // It is said once, however often it is asked again; whoever was woken and finds their person taken waits for another campaign.
    const isNews = hold === null || lead.reason !== hold.code || hold.code === 'person_busy'
    return [{ campaign_lead_id, step, until: new Date(until), channel, action_type, hold, isNews }]
  })
}

import type { Campaign } from '#lib/contracts/campaigns/campaign'
import { mayDispatch } from '#lib/domain/campaigns/campaign-status'
import { wholeForecast } from '#lib/services/forecast/forecasts'

/** Up to this many waiting leads, a campaign's forecast takes milliseconds. */
const FEW = 1_000

type Known = Pick<Campaign, 'campaign_id' | 'workspace_id' | 'status' | 'total_leads' | 'processed_leads'>

/**
 * When the forecast performs the next action of each lead of a running campaign, by lead_index; null if the
 * campaign has too many waiting leads for a page to wait for its forecast.
 */
export async function plannedNext(campaign: Known, now: Date): Promise<ReadonlyMap<number, Date> | null> {
  const { workspace_id, campaign_id, status, total_leads, processed_leads } = campaign
  if (!mayDispatch(status) || (total_leads ?? 0) - processed_leads > FEW) return null
  const { total_actions, lead_index, at } = await wholeForecast(workspace_id, campaign_id, now)
  const next = new Map<number, Date>()
  // Actions are in chronological order, so a lead's first one is its next.
  for (let index = 0; index < total_actions; index++) {
    const lead = lead_index[index] ?? 0
    if (!next.has(lead)) next.set(lead, new Date(at[index] ?? 0))
  }
  return next
}

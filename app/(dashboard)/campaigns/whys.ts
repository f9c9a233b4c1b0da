import { cache } from 'react'
import type { Campaign } from '#lib/contracts/campaigns/campaign'
import { Explanation } from '#lib/contracts/campaigns/explanations'
import { explainCampaigns } from '#lib/services/forecast/explanations'

/** By campaign id, why it is not sending right now. */
export async function loadReasons(
  workspaceId: string,
  campaigns: Pick<Campaign, 'campaign_id'>[],
  now: Date,
): Promise<Record<string, Explanation>> {
  const ids = campaigns.map((campaign) => campaign.campaign_id)
  const explanations = await explainCampaigns(workspaceId, ids, now)
  return Object.fromEntries([...explanations].map(([id, why]) => [id, Explanation.parse(why)]))
}

/** The same for one campaign, cached so that header and page share it. `at` is in epoch milliseconds. */
export const loadReason = cache(async (workspaceId: string, campaignId: string, at: number) => {
  const reasons = await loadReasons(workspaceId, [{ campaign_id: campaignId }], new Date(at))
  return reasons[campaignId]
})

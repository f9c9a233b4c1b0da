import type { Campaign } from '#lib/contracts/campaigns/campaigns'
import { Explanation } from '#lib/contracts/campaigns/explanations'
import { explainCampaigns } from '#lib/services/forecast/explanations'

/** Why each of these campaigns is not sending right now, by its id. */
export async function loadReasons(
  workspaceId: string,
  campaigns: Pick<Campaign, 'campaign_id'>[],
  now: Date,
): Promise<Record<string, Explanation>> {
  const ids = campaigns.map((campaign) => campaign.campaign_id)
  const explanations = await explainCampaigns(workspaceId, ids, now)
  return Object.fromEntries([...explanations].map(([id, why]) => [id, Explanation.parse(why)]))
}

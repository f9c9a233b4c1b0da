import { db } from '#lib/db/client'
import { mayDelete } from '#lib/domain/campaigns/campaign-status'
import { AppError } from '#lib/errors'
import { getCampaign } from '#lib/services/campaigns/campaigns'
import { keepRecipients } from '#lib/services/leads/unsubscribes'

export async function deleteCampaign(workspaceId: string, campaignId: string): Promise<void> {
  const campaign = await getCampaign(workspaceId, campaignId)
  if (!mayDelete(campaign.status)) throw new AppError('campaign_not_deletable')
  const [, { count }] = await db.$transaction([
    keepRecipients(campaignId),
    db.campaign.deleteMany({
      where: { campaign_id: campaignId, workspace_id: workspaceId, status: campaign.status },
    }),
  ])
  if (count === 0) throw new AppError('conflict')
}

import { db } from '#lib/db/client'
import { editScope, hasLaunched } from '#lib/domain/campaign-status'
import { getCampaign, reachedStep } from '#lib/services/campaigns'

/** What of a campaign's sequence may be edited: `locked` says why nothing may; steps up to `reached_step` are fixed. */
export async function editLimits(userId: string, campaignId: string) {
  const { status } = await getCampaign(userId, campaignId)
  const locked =
    editScope(status) === 'none'
      ? status === 'completed'
        ? 'The campaign is over; its steps stay as they were.'
        : 'Steps cannot be changed while the campaign runs. Pause it first; what was sent stays sent.'
      : null
  return { locked, reached_step: await reachedStep(campaignId) }
}

/**
 * How many leads may still get each step, in their order: those that have it before them and did not end. Before the
 * launch, all leads of the dataset.
 */
export async function leadsAhead(userId: string, campaignId: string, steps: number): Promise<number[]> {
  const campaign = await getCampaign(userId, campaignId)
  const places = Array.from({ length: steps }, (_, index) => index + 1)
  if (!hasLaunched(campaign)) {
    const { row_count } = await db.dataset.findUniqueOrThrow({ where: { dataset_id: campaign.dataset_id } })
    return places.map(() => row_count)
  }
  const waiting = await db.campaignLead.groupBy({
    by: ['next_step'],
    where: { campaign_id: campaignId, user_id: userId, status: { in: ['pending', 'active'] } },
    _count: true,
  })
  return places.map((step) =>
    waiting.reduce((sum, { next_step, _count }) => sum + ((next_step ?? 1) <= step ? _count : 0), 0),
  )
}

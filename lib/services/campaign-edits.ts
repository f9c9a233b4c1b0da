import { editScope } from '#lib/domain/campaign-status'
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

import { Progress, type ProgressParts } from '#components/ui/feedback/progress'
import type { Campaign } from '#lib/contracts/campaigns/campaign'

/** The progress from the campaign's counters; without `pending`, every unfinished lead counts as waiting. */
function partsOfCampaign(campaign: Campaign, pending?: number): ProgressParts {
  const total = campaign.total_leads ?? 0
  const rest = Math.max(0, total - campaign.processed_leads)
  const waiting = Math.min(rest, pending ?? rest)
  const endedEarly = Math.min(campaign.processed_leads, campaign.replied_count + campaign.bounced_count)
  return {
    done: campaign.processed_leads - endedEarly,
    in_flight: rest - waiting,
    waiting,
    ended_early: endedEarly,
  }
}

export function CampaignProgress({
  campaign,
  pending,
}: {
  campaign: Campaign
  /** Leads that have not begun, if they were counted. */
  pending?: number | undefined
}) {
  return <Progress label={`Leads of ${campaign.name}`} parts={partsOfCampaign(campaign, pending)} />
}

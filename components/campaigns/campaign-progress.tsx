import { Progress, type ProgressParts } from '#components/ui/progress'
import type { Campaign } from '#lib/contracts/campaigns'
import type { LeadStatus } from '#lib/domain/campaign-status'

export type LeadCounts = Record<LeadStatus, number>

/** The exact parts, where the leads were counted by status. */
export function partsOfCounts(counts: LeadCounts): ProgressParts {
  return {
    done: counts.completed,
    in_flight: counts.active,
    waiting: counts.pending,
    ended_early: counts.replied + counts.bounced + counts.unsubscribed + counts.failed + counts.skipped,
  }
}

/** What the campaign's own counters tell: who is not through yet is waiting. */
function partsOfCampaign(campaign: Campaign): ProgressParts {
  const total = campaign.total_leads ?? 0
  const endedEarly = Math.min(campaign.processed_leads, campaign.replied_count + campaign.bounced_count)
  return {
    done: campaign.processed_leads - endedEarly,
    in_flight: 0,
    waiting: Math.max(0, total - campaign.processed_leads),
    ended_early: endedEarly,
  }
}

export function CampaignProgress({
  campaign,
  counts,
  legend,
}: {
  campaign: Campaign
  counts?: LeadCounts
  legend?: boolean
}) {
  return (
    <Progress
      label={`Leads of ${campaign.name}`}
      parts={counts ? partsOfCounts(counts) : partsOfCampaign(campaign)}
      legend={legend}
    />
  )
}

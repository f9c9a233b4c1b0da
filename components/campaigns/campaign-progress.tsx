import { Progress, type ProgressParts } from '#components/ui/feedback/progress'
import type { Campaign } from '#lib/contracts/campaigns/campaigns'
import type { LeadStatus } from '#lib/domain/campaigns/campaign-status'

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

/** What the campaign's own counters tell; without `pending`, who is not through yet is waiting. */
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
  counts,
  pending,
  legend,
}: {
  campaign: Campaign
  counts?: LeadCounts
  /** Leads that have not begun, where only those were counted. */
  pending?: number | undefined
  legend?: boolean
}) {
  return (
    <Progress
      label={`Leads of ${campaign.name}`}
      parts={counts ? partsOfCounts(counts) : partsOfCampaign(campaign, pending)}
      legend={legend}
    />
  )
}

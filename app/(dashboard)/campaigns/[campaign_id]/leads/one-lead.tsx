import { LeadPanel } from '#components/campaigns/lead-panel'
import { LeadProblem } from '#components/campaigns/lead-problem'
import { LeadSteps } from '#components/campaigns/lead-steps'
import { LeadTimeline } from '#components/campaigns/lead-timeline'
import { Skeleton } from '#components/ui/skeleton'
import type { Campaign } from '#lib/contracts/campaigns'
import { ReadLeadTimeline } from '#lib/contracts/lead-timelines'
import { AppError } from '#lib/errors'
import { leadTimeline } from '#lib/services/lead-timelines'

type Props = { campaign: Campaign; leadId: string; closeHref: string }

/** The timeline of one lead, beside the list it was chosen from. */
export async function OneLead({ campaign, leadId, closeHref }: Props) {
  const { campaign_id, timezone, steps_config } = campaign
  const events = await eventsOf(campaign, leadId)
  if (!events) {
    return (
      <LeadPanel title="This lead is gone" closeHref={closeHref}>
        <p className="text-sm text-muted">It was erased, or it belongs to another campaign.</p>
      </LeadPanel>
    )
  }
  const address = events.find((event) => event.kind === 'enrolled')?.detail.email
  return (
    <LeadPanel
      title={typeof address === 'string' ? address : 'Lead without an address'}
      description="What was decided, and why; below it, what is planned."
      closeHref={closeHref}
    >
      <div className="grid gap-5">
        <LeadProblem events={events} campaignId={campaign_id} />
        <LeadSteps steps={steps_config} events={events} timezone={timezone} />
        <LeadTimeline events={events} timezone={timezone} />
      </div>
    </LeadPanel>
  )
}

/** Null where the list stays, but the lead that the address names is not there (any more). */
async function eventsOf({ user_id, campaign_id }: Campaign, leadId: string) {
  try {
    const timeline = await leadTimeline(user_id, campaign_id, leadId, new Date())
    return ReadLeadTimeline.response.parse(timeline).events
  } catch (error) {
    if (error instanceof AppError && error.code === 'lead_not_found') return null
    throw error
  }
}

/** The panel stands open at once; what is planned for one lead is read from the forecast of the whole campaign. */
export function OneLeadSkeleton({ closeHref }: { closeHref: string }) {
  return (
    <LeadPanel title={<Skeleton className="h-5 w-48" />} closeHref={closeHref}>
      <div role="status" className="grid animate-[enter_1ms_200ms_backwards] gap-4">
        <span className="sr-only">Loading</span>
        {['a', 'b', 'c', 'd'].map((line) => (
          <div key={line} className="grid gap-1.5">
            <Skeleton className="h-4 w-40" />
            <Skeleton className="h-3 w-28" />
          </div>
        ))}
      </div>
    </LeadPanel>
  )
}

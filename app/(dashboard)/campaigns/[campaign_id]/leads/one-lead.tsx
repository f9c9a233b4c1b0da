import { LeadPanel } from '#components/campaigns/lead-panel'
import { LeadTimeline } from '#components/campaigns/lead-timeline'
import type { Campaign } from '#lib/contracts/campaigns'
import { ReadLeadTimeline } from '#lib/contracts/lead-timelines'
import { leadTimeline } from '#lib/services/lead-timelines'
import { found } from '../../../../page-input.ts'

type Props = { campaign: Campaign; leadId: string; closeHref: string }

/** The timeline of one lead, beside the list it was chosen from. */
export async function OneLead({ campaign, leadId, closeHref }: Props) {
  const { user_id, campaign_id, timezone } = campaign
  const { events } = ReadLeadTimeline.response.parse(
    await found(leadTimeline(user_id, campaign_id, leadId, new Date())),
  )
  const address = events.find((event) => event.kind === 'enrolled')?.detail.email
  return (
    <LeadPanel
      title={typeof address === 'string' ? address : 'Lead without an address'}
      description="What was decided, and why; below it, what is planned."
      closeHref={closeHref}
    >
      <LeadTimeline events={events} timezone={timezone} />
    </LeadPanel>
  )
}

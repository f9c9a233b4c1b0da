import { AbsenceNote } from '#components/inbox/absence-note'
import { HoldMenu } from '#components/leads/hold-menu'
import { LeadPanel } from '#components/leads/lead-panel'
import { LeadProblem } from '#components/leads/lead-problem'
import { LeadStatusPill } from '#components/leads/lead-status'
import { LeadSteps } from '#components/leads/lead-steps'
import { LeadTimeline } from '#components/leads/lead-timeline'
import { PolicyWait } from '#components/leads/waits-for'
import { Link } from '#components/ui/controls/link'
import { Skeleton } from '#components/ui/feedback/skeleton'
import type { Campaign } from '#lib/contracts/campaigns/campaign'
import { CampaignLead } from '#lib/contracts/leads/campaign-leads'
import { PersonHold } from '#lib/contracts/leads/lead-holds'
import { ReadLeadTimeline } from '#lib/contracts/leads/lead-timelines'
import { AppError } from '#lib/errors'
import { FIELD_NAMES } from '#lib/services/enrichment/field-names'
import { leadTimeline } from '#lib/services/forecast/lead-timelines'
import { findCampaignLead } from '#lib/services/leads/campaign-leads'
import { readHold } from '#lib/services/leads/holds'
import { holdPerson, releasePerson, retryLead } from './actions.ts'

type Props = { campaign: Campaign; leadId: string; closeHref: string }

/** The timeline of one lead, beside the list. */
export async function OneLead({ campaign, leadId, closeHref }: Props) {
  const { campaign_id, timezone, steps_config } = campaign
  const now = new Date()
  const [events, lead] = await Promise.all([
    loadEvents(campaign, leadId),
    findCampaignLead(campaign.workspace_id, campaign_id, leadId, now),
  ])
  if (!events || !lead) {
    return (
      <LeadPanel title="This lead is gone" closeHref={closeHref}>
        <p className="text-sm text-muted">It was erased or belongs to another campaign.</p>
      </LeadPanel>
    )
  }
  return (
    <LeadPanel
      title={lead.email ?? 'Lead without an address'}
      description={describeLead(lead.data)}
      closeHref={closeHref}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <p className="flex flex-wrap items-center justify-between gap-2 text-sm text-muted">
          <LeadStatusPill status={lead.status} isPaused={campaign.status === 'paused'} />
          <span>Times in {timezone}</span>
        </p>
        <PolicyWait waits={CampaignLead.shape.waits_for.parse(lead.waits_for)} timezone={timezone} />
        <LeadClock lead={lead} />
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 empty:hidden">
          {lead.person_id && (
            <Link
              className="rounded-xs text-sm text-accent-text underline"
              href={`/people/${lead.person_id}`}
            >
              This person in all campaigns
            </Link>
          )}
          <PersonHolds campaign={campaign} leadId={leadId} lead={lead} now={now} />
        </div>
        <LeadProblem
          events={events}
          campaignId={campaign_id}
          retry={retryLead.bind(null, campaign_id, leadId)}
        />
        <section>
          <h3 className="mb-2 text-sm font-semibold">Steps</h3>
          <LeadSteps steps={steps_config} events={events} timezone={timezone} />
        </section>
        <section>
          <h3 className="mb-2 text-sm font-semibold">Decisions and reasons</h3>
          <LeadTimeline events={events} timezone={timezone} />
        </section>
      </div>
    </LeadPanel>
  )
}

type ClockProps = { lead: { timezone: string | null; timezone_source: string | null } }

/** The lead's time zone, and what it was derived from. */
function LeadClock({ lead: { timezone, timezone_source } }: ClockProps) {
  if (timezone === null) return null
  const source = timezone_source && (FIELD_NAMES[timezone_source] ?? timezone_source).toLowerCase()
  return (
    <p className="text-sm text-muted">
      {source
        ? `Local time: ${timezone}, from the ${source}.`
        : `Uses the campaign’s time zone, ${timezone}, because the list does not say where they are.`}
    </p>
  )
}

type HoldProps = {
  campaign: Campaign
  leadId: string
  lead: Parameters<typeof readHold>[1] & { waits_for: { why: string } | null }
  now: Date
}

/** Until when the person is held, and how to change that, while steps are ahead. */
async function PersonHolds({ campaign, leadId, lead, now }: HoldProps) {
  const { workspace_id, campaign_id, timezone } = campaign
  const person = await readHold(workspace_id, lead, timezone, now)
  if (!person) return null
  const { hold, choices } = person
  const clock = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: timezone,
  })
  return (
    <div className="grid justify-items-start gap-2">
      {hold && (
        <AbsenceNote
          absence={PersonHold.parse(hold)}
          isAsked={lead.waits_for?.why === 'asked_later'}
          zone={timezone}
          release={releasePerson.bind(null, campaign_id, leadId)}
          addDeputy={null}
        />
      )}
      <HoldMenu
        choices={choices.map((choice) => ({ ...choice, at: clock.format(new Date(choice.until)) }))}
        zone={timezone}
        act={holdPerson.bind(null, campaign_id, leadId)}
      />
    </div>
  )
}

/** "Amara Okafor · Head of Operations · Brightwater Logistics" */
function describeLead(data: Record<string, string>): string | undefined {
  const name = [data.first_name, data.last_name].filter(Boolean).join(' ')
  return [name, data.job_title, data.company].filter(Boolean).join(' · ') || undefined
}

/** Null if the lead of the URL does not exist (any more); the list is still shown. */
async function loadEvents({ workspace_id, campaign_id }: Campaign, leadId: string) {
  try {
    const timeline = await leadTimeline(workspace_id, campaign_id, leadId, new Date())
    return ReadLeadTimeline.response.parse(timeline).events
  } catch (error) {
    if (error instanceof AppError && error.code === 'lead_not_found') return null
    throw error
  }
}

/** The panel opens at once; the planned steps of one lead require the forecast of the whole campaign. */
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

import { LeadStatusPill } from '#components/leads/lead-status'
import { touchTitle } from '#components/leads/people/person-timeline'
import { Link } from '#components/ui/controls/link'
import { Badge } from '#components/ui/feedback/badge'
import { ZonedTime } from '#components/ui/zoned-time'
import type { OnePerson } from '#lib/contracts/leads/people'

/** Only the latest contacts are shown here; the person's page has all. */
const LATEST = 6
const MOST_CAMPAIGNS = 5

type Props = { person: OnePerson; thread_id: string; zone: string }

/** What is known about the person apart from this conversation. */
export function PersonHistory({ person, thread_id, zone }: Props) {
  const { person_id, tags, leads, touches } = person
  return (
    <div className="grid gap-4 text-sm">
      {tags.length > 0 && (
        <ul aria-label="Tags" className="flex flex-wrap gap-1">
          {tags.map((tag) => (
            <li key={tag}>
              <Badge>{tag}</Badge>
            </li>
          ))}
        </ul>
      )}
      <section className="grid gap-2">
        <h3 className="text-xs font-medium text-muted">Campaigns</h3>
        <ul className="grid gap-1.5">
          {leads.slice(0, MOST_CAMPAIGNS).map((lead) => (
            <li key={lead.campaign_lead_id} className="flex items-start justify-between gap-2">
              <Link
                className="min-w-0 rounded-xs wrap-anywhere text-accent-text underline"
                href={`/campaigns/${lead.campaign_id}/leads?lead=${lead.campaign_lead_id}`}
              >
                {lead.campaign_name}
              </Link>
              <LeadStatusPill status={lead.status} isPaused={false} />
            </li>
          ))}
        </ul>
        {leads.length > MOST_CAMPAIGNS && (
          <p className="text-muted">And {leads.length - MOST_CAMPAIGNS} more.</p>
        )}
      </section>
      <Latest touches={touches} thread_id={thread_id} zone={zone} />
      <Link className="w-fit rounded-xs text-accent-text underline" href={`/people/${person_id}`}>
        {touches.length > LATEST ? `All ${touches.length} events` : 'Open this person'}
      </Link>
    </div>
  )
}

type LatestProps = Pick<OnePerson, 'touches'> & Pick<Props, 'thread_id' | 'zone'>

function Latest({ touches, thread_id, zone }: LatestProps) {
  return (
    <section className="grid gap-2">
      <h3 className="text-xs font-medium text-muted">Latest</h3>
      {touches.length === 0 && <p className="text-muted">Nothing sent to them yet.</p>}
      <ol className="grid gap-2.5">
        {touches.slice(0, LATEST).map((touch) => (
          <li
            key={`${touch.at} ${touch.kind} ${touch.campaign_lead_id} ${touch.step}`}
            className="grid gap-0.5"
          >
            <p className="flex flex-wrap justify-between gap-x-2">
              <span className="font-medium">{touchTitle(touch)}</span>
              <span className="text-xs text-muted">
                <ZonedTime at={touch.at} zone={zone} />
              </span>
            </p>
            {touch.subject && <p className="truncate text-muted">{touch.subject}</p>}
            {touch.text && <p className="line-clamp-2 wrap-anywhere text-muted">{touch.text}</p>}
            {touch.thread_id && touch.thread_id !== thread_id && (
              <Link
                className="w-fit rounded-xs text-accent-text underline"
                href={`/inbox/${touch.thread_id}?folder=all`}
              >
                Another conversation
              </Link>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

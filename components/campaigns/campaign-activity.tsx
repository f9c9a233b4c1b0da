import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { ACTION_DONE } from '#components/senders/labels'
import { Link } from '#components/ui/controls/link'
import { Panel } from '#components/ui/layout/panel'
import { RelativeTime } from '#components/ui/relative-time'
import type { ActivityEvent } from '#lib/contracts/campaigns/activity'
import { reasonWords, words } from '../leads/lead-words.tsx'

type Props = {
  campaignId: string
  events: ActivityEvent[]
  zone: string
  now: string
  /** A link to the sent emails, such as in the sandbox. */
  mail?: ReactNode
}

const INK: Record<string, string> = {
  sent: 'bg-accent',
  replied: 'bg-success',
  completed: 'bg-success',
  bounced: 'bg-danger',
  failed: 'bg-danger',
  complained: 'bg-danger',
  uncertain: 'bg-warning',
  unsubscribed: 'bg-warning',
}

/** The latest events of a campaign, each with its lead. */
export function CampaignActivity({ campaignId, events, zone, now, mail }: Props) {
  return (
    <Panel title="Activity" action={mail} flush>
      {events.length === 0 && (
        <p className="p-4 text-sm text-muted">Sends, replies and changes will be listed here.</p>
      )}
      <ol>
        {events.map((event) => (
          <li
            key={event.event_id}
            className="grid grid-cols-[0.5rem_minmax(0,1fr)_auto] items-baseline gap-x-3 border-b border-border px-4 py-2 text-sm last:border-0"
          >
            <span aria-hidden className={clsx('size-2 rounded-full', INK[event.kind] ?? 'bg-control')} />
            <span className="min-w-0 truncate">
              {happened(event)}
              <Whom campaignId={campaignId} event={event} />
              {event.step !== null && <span className="text-muted"> · step {event.step}</span>}
              {event.reason && <span className="text-muted"> · {reasonWords(event)}</span>}
            </span>
            <span className="text-xs text-muted">
              <RelativeTime at={event.at} now={now} zone={zone} />
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

const happened = ({ kind, channel, action_type }: ActivityEvent): string =>
  (kind === 'sent' && channel === 'social' && ACTION_DONE[action_type ?? '']) || words(kind)

function Whom({ campaignId, event }: { campaignId: string; event: ActivityEvent }) {
  if (!event.campaign_lead_id) return null
  return (
    <>
      {' · '}
      <Link
        href={`/campaigns/${campaignId}/leads?lead=${event.campaign_lead_id}`}
        prefetch={false}
        className="rounded-xs font-medium hover:underline"
      >
        {event.name}
      </Link>
    </>
  )
}

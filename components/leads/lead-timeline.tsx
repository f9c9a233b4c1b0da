import { clsx } from 'clsx'
import { ACTION_DONE } from '#components/senders/labels'
import { ZonedTime } from '#components/ui/zoned-time'
import type { TimelineEvent } from '#lib/contracts/leads/lead-timelines'
import { reasonWords, words } from './lead-words.tsx'

const INK: Record<string, string> = {
  failed: 'bg-danger',
  bounced: 'bg-danger',
  uncertain: 'bg-warning',
  unsubscribed: 'bg-warning',
  replied: 'bg-success',
  completed: 'bg-success',
  sent: 'bg-accent',
}

/** Every decision about one lead with its reason, followed by what is planned. */
export function LeadTimeline({ events, timezone }: { events: TimelineEvent[]; timezone: string }) {
  return (
    <ol className="grid">
      {events.map((event, index) => (
        <li
          key={`${event.at} ${event.kind} ${event.step}`}
          className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-3 text-sm"
        >
          <span aria-hidden className="flex flex-col items-center">
            <span
              className={clsx(
                'mt-1.5 size-2 shrink-0 rounded-full ring-2 ring-raised',
                isToCome(event) ? 'border border-control bg-raised' : (INK[event.kind] ?? 'bg-control'),
              )}
            />
            {index < events.length - 1 && <span className="w-px flex-1 bg-border" />}
          </span>
          <div className="pb-4">
            <p className="font-medium">
              {eventAction(event) ?? words(event.kind)}
              {typeof event.detail.class === 'string' && event.detail.class !== 'human' && (
                <span className="font-normal text-muted"> · {event.detail.class}</span>
              )}
              {event.step !== null && <span className="font-normal text-muted"> · step {event.step}</span>}
            </p>
            <p className="text-xs text-muted">
              <ZonedTime at={event.at} zone={timezone} />
            </p>
            {event.reason && !isStop(event) && (
              <p className="mt-0.5 text-muted wrap-anywhere">{reasonWords(event)}</p>
            )}
            <Detail detail={event.detail} />
            <Until event={event} zone={timezone} />
          </div>
        </li>
      ))}
    </ol>
  )
}

const isToCome = ({ kind }: TimelineEvent) => kind === 'planned' || kind === 'will_be_skipped'

const isStop = ({ kind, reason }: TimelineEvent) => kind === 'stopped' && reason !== null

/** Prefers the kind of social action to "sent", and the reason of a stop to "stopped". */
function eventAction(event: TimelineEvent): string | null {
  const { kind, channel, detail, reason } = event
  if (isStop(event)) return words(String(reason))
  if (kind !== 'sent' || channel !== 'social') return null
  return ACTION_DONE[String(detail.action_type)] ?? null
}

/** Until when a campaign sends outside its hours, or until when the person is held. */
function Until({ event: { kind, detail }, zone }: { event: TimelineEvent; zone: string }) {
  const until = detail.away_until ?? detail.until
  return typeof until === 'string' ? (
    <p className="mt-0.5 text-muted">
      {kind === 'opened_once' ? 'Open until' : 'Nothing is sent until'} <ZonedTime at={until} zone={zone} />.
    </p>
  ) : null
}

function Detail({ detail }: Pick<TimelineEvent, 'detail'>) {
  const { subject, variant, attempts, url, hits, said, deputy } = detail
  const parts = [
    typeof subject === 'string' && subject !== '' ? `“${subject}”` : null,
    typeof said === 'string' ? `“${said}”` : null,
    typeof detail.campaign_name === 'string' ? `waits for “${detail.campaign_name}”` : null,
    typeof deputy === 'string' ? `deputy ${deputy}` : null,
    detail.matched_by === 'chat' ? 'in the chat' : null,
    typeof variant === 'string' ? `variant ${variant}` : null,
    typeof url === 'string' ? url : null,
    typeof hits === 'number' && hits > 1 ? `${hits} times` : null,
    typeof attempts === 'number' && attempts > 1 ? `${attempts} attempts` : null,
  ].filter((part) => part !== null)
  return parts.length > 0 ? <p className="mt-0.5 wrap-anywhere">{parts.join(' · ')}</p> : null
}

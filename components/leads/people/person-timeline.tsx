import { ACTION_DONE } from '#components/senders/labels'
import { Link } from '#components/ui/controls/link'
import { ZonedTime } from '#components/ui/zoned-time'
import type { CompanyTouch } from '#lib/contracts/leads/companies'
import type { PersonTouch } from '#lib/contracts/leads/people'

const KINDS: Record<string, string> = {
  reply: 'They replied',
  automatic_reply: 'Automatic reply',
  answer: 'Answered',
  open: 'Opened an email',
  click: 'Clicked a link',
  bounced: 'An email bounced',
  unsubscribed: 'Unsubscribed',
  complaint: 'Complained',
}

export const touchTitle = ({ kind, channel, action_type }: PersonTouch): string => {
  if (kind !== 'sent') return KINDS[kind] ?? kind.replaceAll('_', ' ')
  return (channel === 'social' && ACTION_DONE[action_type ?? '']) || 'Sent an email'
}

/** In a company's history, each entry also names the person. */
type Touch = PersonTouch & Partial<Pick<CompanyTouch, 'person_id' | 'name'>>

/** All contacts of every campaign and channel, newest first. */
export function PersonTimeline({ touches, zone }: { touches: Touch[]; zone: string }) {
  return (
    <ol className="divide-y divide-border">
      {touches.map((touch) => (
        <li
          key={`${touch.at} ${touch.kind} ${touch.campaign_lead_id} ${touch.step}`}
          className="grid gap-0.5 px-4 py-3 text-sm"
        >
          <p className="flex flex-wrap justify-between gap-x-4">
            <span className="font-medium wrap-anywhere">
              {touch.name && (
                <>
                  <Link className="rounded-xs hover:underline" href={`/people/${touch.person_id}`}>
                    {touch.name}
                  </Link>
                  <span className="font-normal text-muted"> · </span>
                </>
              )}
              {touch.name && touch.kind === 'reply' ? 'Replied' : touchTitle(touch)}
              {touch.step !== null && <span className="font-normal text-muted"> · step {touch.step}</span>}
            </span>
            <span className="text-muted">
              <ZonedTime at={touch.at} zone={zone} />
            </span>
          </p>
          {touch.subject && <p className="wrap-anywhere">{touch.subject}</p>}
          {touch.text && <p className="line-clamp-3 wrap-anywhere text-muted">{touch.text}</p>}
          <p className="flex flex-wrap gap-x-4">
            <Link
              className="rounded-xs wrap-anywhere text-accent-text underline"
              href={`/campaigns/${touch.campaign_id}/leads?lead=${touch.campaign_lead_id}`}
            >
              {touch.campaign_name}
            </Link>
            {touch.thread_id && (
              <Link className="rounded-xs text-accent-text underline" href={`/inbox/${touch.thread_id}`}>
                Conversation
              </Link>
            )}
          </p>
        </li>
      ))}
    </ol>
  )
}

import { Link } from '#components/ui/controls/link'
import { ProgressLine } from '#components/ui/feedback/progress'
import { Panel } from '#components/ui/layout/panel'
import type { SenderProfileUse } from '#lib/contracts/messages/profile-use'

/** Includes a mailbox's remaining sends today; null for senders with limits per kind of action. */
export type ShownSender = SenderProfileUse['senders'][number] & {
  limit: { today: number; used_today: number } | null
}

/** The senders used with this profile, and how much of today's limits is used. */
export function ProfileSenders({ senders }: { senders: ShownSender[] }) {
  if (senders.length === 0) return null
  return (
    <Panel title="Sent from" description="In the last 30 days. Limits cover all campaigns.">
      <ul className="grid gap-3 text-sm">
        {senders.map(({ sender_id, kind, name, limit }) => (
          <li key={sender_id} className="grid gap-1.5">
            <span className="flex flex-wrap items-baseline justify-between gap-x-3">
              <Link
                href={`/${kind === 'mailbox' ? 'mailboxes' : 'accounts'}/${sender_id}`}
                className="min-w-0 rounded-xs font-medium wrap-anywhere hover:underline"
              >
                {name}
              </Link>
              <span className="text-muted">
                {limit
                  ? `${limit.used_today.toLocaleString('en')} of ${limit.today.toLocaleString('en')} today`
                  : 'See its limits'}
              </span>
            </span>
            {limit && (
              <ProgressLine
                label={`Limit used today by ${name}`}
                value={limit.today === 0 ? 0 : Math.min(100, (100 * limit.used_today) / limit.today)}
              />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

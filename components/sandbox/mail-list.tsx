import { clsx } from 'clsx'
import { Link } from '#components/ui/controls/link'
import { RelativeTime } from '#components/ui/relative-time'
import type { SandboxMessage } from '#lib/contracts/sandbox/sandbox'

type Props = { mails: SandboxMessage[]; chosen: string | null; now: string; toHref: (id: string) => string }

/** Every message that was "sent", newest first. */
export function MailList({ mails, chosen, now, toHref }: Props) {
  return (
    <ul>
      {mails.map((mail) => (
        <li key={mail.sandbox_message_id} className="border-b border-border last:border-0">
          <Link
            href={toHref(mail.sandbox_message_id)}
            scroll={false}
            data-row-link
            aria-current={mail.sandbox_message_id === chosen ? 'true' : undefined}
            className={clsx(
              'grid grid-cols-[minmax(0,1fr)] gap-0.5 px-4 py-2.5 text-sm hover:bg-hover focus-visible:-outline-offset-2',
              mail.sandbox_message_id === chosen && 'bg-accent-subtle',
            )}
          >
            <span className="flex items-baseline justify-between gap-3">
              <span className="min-w-0 truncate font-medium">{mail.rcpt_to}</span>
              <span className="shrink-0 text-xs text-muted">
                <RelativeTime at={mail.received_at} now={now} />
              </span>
            </span>
            <span className="truncate text-muted">{mail.subject || '(no subject)'}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

import { clsx } from 'clsx'
import Link from 'next/link'
import { RelativeTime } from '#components/ui/zoned-time'

export type SandboxMailItem = { id: string; from: string; to: string; subject: string; received_at: string }

type Props = { mails: SandboxMailItem[]; chosen: string | null; now: string; hrefOf: (id: string) => string }

/** Every message that "left", newest first. */
export function MailList({ mails, chosen, now, hrefOf }: Props) {
  return (
    <ul>
      {mails.map((mail) => (
        <li key={mail.id} className="border-b border-border last:border-0">
          <Link
            href={hrefOf(mail.id)}
            scroll={false}
            data-row-link
            aria-current={mail.id === chosen ? 'true' : undefined}
            className={clsx(
              'grid gap-0.5 px-4 py-2.5 text-sm hover:bg-hover focus-visible:-outline-offset-2',
              mail.id === chosen && 'bg-accent-subtle',
            )}
          >
            <span className="flex items-baseline justify-between gap-3">
              <span className="truncate font-medium">{mail.to}</span>
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

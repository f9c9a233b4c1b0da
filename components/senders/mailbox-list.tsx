import { Pencil, PlugZap, Trash2 } from 'lucide-react'

import { ActionButton } from '#components/ui/controls/action-button'
import type { FormResult } from '#components/ui/controls/action-form'
import { Link } from '#components/ui/controls/link'
import { Callout } from '#components/ui/feedback/callout'
import { ProgressLine } from '#components/ui/feedback/progress'
import { Menu } from '#components/ui/overlays/menu'
import { MenuAction, MenuLink } from '#components/ui/overlays/menu-item'
import { RelativeTime } from '#components/ui/relative-time'
import { ZonedTime } from '#components/ui/zoned-time'
import type { Mailbox } from '#lib/contracts/senders/mailbox'
import { breakable } from './breakable.tsx'
import { MailboxStatus } from './mailbox-status.tsx'
import { Outage } from './outage.tsx'
import { UsedBy } from './used-by.tsx'

export type MailboxActs = Record<'test' | 'remove', (mailbox_id: string) => Promise<FormResult>>

type Props = { mailboxes: Mailbox[]; now: string; acts: MailboxActs }

/** Mailboxes with their daily limits, use, and the zone in which they reset. */
export function MailboxList({ mailboxes, now, acts }: Props) {
  return (
    <ul className="grid gap-4 lg:grid-cols-2">
      {mailboxes.map((mailbox) => (
        <MailboxCard key={mailbox.mailbox_id} mailbox={mailbox} now={now} acts={acts} />
      ))}
    </ul>
  )
}

function MailboxCard({ mailbox, now, acts }: { mailbox: Mailbox; now: string; acts: MailboxActs }) {
  const { mailbox_id: id, address, limits, smtp, imap } = mailbox
  return (
    <li className="flex flex-col gap-3 rounded-md border border-border bg-surface p-4 text-sm">
      <div>
        <div className="flex items-start justify-between gap-3">
          <Link
            href={`/mailboxes/${id}`}
            data-row-link
            className="min-w-0 rounded-xs font-medium wrap-anywhere hover:underline"
          >
            {breakable(address)}
          </Link>
          <span className="-my-1 flex items-center gap-1">
            <MailboxStatus status={mailbox.status} />
            <MailboxMenu id={id} address={address} remove={acts.remove} />
          </span>
        </div>
        {mailbox.name && <p className="text-muted">{mailbox.name}</p>}
        {mailbox.send_as && <p className="text-muted wrap-anywhere">From {mailbox.send_as}</p>}
      </div>
      <DayOfMailbox mailbox={mailbox} now={now} />
      {limits.used_today > 0 && (
        <div>
          <p className="mb-1 text-xs font-medium text-muted">Used today by</p>
          <UsedBy uses={limits.used_by} used_today={limits.used_today} />
        </div>
      )}
      {mailbox.failing_cause && (
        <Outage
          cause={mailbox.failing_cause}
          said={mailbox.last_error}
          next_try_at={mailbox.next_try_at}
          now={now}
        />
      )}
      {mailbox.inbox_error && <Callout tone="danger">Replies are not read: {mailbox.inbox_error}</Callout>}
      <div className="mt-auto flex flex-wrap items-center justify-between gap-2 border-t border-border pt-3">
        <p className="text-muted wrap-anywhere">
          SMTP {smtp.host}:{smtp.port}
          {imap && ` · IMAP ${imap.host}:${imap.port}`}
          {mailbox.last_checked_at && (
            <>
              {' '}
              · checked <RelativeTime at={mailbox.last_checked_at} now={now} />
            </>
          )}
        </p>
        <ActionButton size="sm" act={acts.test.bind(null, id)}>
          <PlugZap aria-hidden /> Test
        </ActionButton>
      </div>
    </li>
  )
}

function MailboxMenu({
  id,
  address,
  remove,
}: {
  id: string
  address: string
  remove: MailboxActs['remove']
}) {
  return (
    <Menu label={`More for ${address}`}>
      <MenuLink href={`/mailboxes/${id}`}>
        <Pencil aria-hidden /> Edit
      </MenuLink>
      <MenuAction
        act={remove.bind(null, id)}
        danger
        confirm={{
          title: `Remove mailbox ${address}?`,
          description: 'Its sign-in is deleted. Sent emails are not affected.',
          label: 'Remove mailbox',
          danger: true,
        }}
      >
        <Trash2 aria-hidden /> Remove
      </MenuAction>
    </Menu>
  )
}

/** How much of today's limit is used. */
function DayOfMailbox({ mailbox: { address, limits }, now }: { mailbox: Mailbox; now: string }) {
  return (
    <div>
      <p className="mb-1.5 flex justify-between gap-3">
        <span>
          {limits.used_today.toLocaleString('en')} of {limits.today.toLocaleString('en')} used today
        </span>
        <span className="text-right text-muted">
          resets at <ZonedTime at={limits.resets_at} zone={limits.timezone} style="time" /> {limits.timezone},{' '}
          <RelativeTime at={limits.resets_at} now={now} zone={limits.timezone} />
        </span>
      </p>
      <ProgressLine
        label={`Limit used today by ${address}`}
        value={limits.today === 0 ? 0 : Math.min(100, (100 * limits.used_today) / limits.today)}
      />
      <p className="mt-1.5 text-muted">
        {limits.ramp_health?.reason
          ? `${limits.ramp_health.verdict === 'fall' ? 'Lowered' : 'Held'} because ${limits.ramp_health.reason}`
          : limits.ramp_up && limits.today < limits.daily_limit
            ? `Ramping up by ${limits.ramp_up.increase_per_day} a day towards ${limits.daily_limit}`
            : `At most ${limits.daily_limit.toLocaleString('en')} a day`}
        , {limits.min_interval_seconds} s between emails
      </p>
    </div>
  )
}

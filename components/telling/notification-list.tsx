import Link from 'next/link'
import { ActionButton } from '#components/ui/controls/action-button'
import type { FormResult } from '#components/ui/controls/action-form'
import { Badge } from '#components/ui/feedback/badge'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { Panel } from '#components/ui/layout/panel'
import { RelativeTime } from '#components/ui/zoned-time'
import { notificationHref, type ShownNotification } from './href.ts'

type Props = {
  notifications: ShownNotification[]
  unread: number
  now: string
  markAll: () => Promise<FormResult>
}

/** The newest facts, whether or not a message was sent of them. */
export function NotificationList({ notifications, unread, now, markAll }: Props) {
  return (
    <Panel
      title="What happened"
      description={unread > 0 ? `${unread.toLocaleString('en')} not read` : undefined}
      action={
        unread > 0 && (
          <ActionButton size="sm" act={markAll}>
            Mark all as read
          </ActionButton>
        )
      }
      flush
    >
      {notifications.length === 0 ? (
        <EmptyState
          title="Nothing yet"
          description="Replies, bounces, complaints and whatever stops a campaign show up here."
        />
      ) : (
        <ul>
          {notifications.map((one) => (
            <li
              key={one.notification_id}
              className="grid items-baseline gap-x-4 gap-y-1 border-b sm:grid-cols-[minmax(0,1fr)_auto] border-border px-4 py-2.5 text-sm last:border-0"
            >
              <Link href={notificationHref(one)} className="min-w-0 rounded-xs wrap-anywhere hover:underline">
                {one.text}
              </Link>
              <span className="flex items-center gap-2 text-xs text-muted sm:justify-end">
                {one.read_at === null && <Badge tone="accent">New</Badge>}
                <RelativeTime at={one.created_at} now={now} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

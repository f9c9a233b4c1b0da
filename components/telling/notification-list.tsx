import { ActionButton } from '#components/ui/controls/action-button'
import type { FormResult } from '#components/ui/controls/action-form'
import { Link } from '#components/ui/controls/link'
import { Badge } from '#components/ui/feedback/badge'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { Pagination } from '#components/ui/layout/pagination'
import { Panel } from '#components/ui/layout/panel'
import { RelativeTime } from '#components/ui/relative-time'
import { dayWords } from '#components/ui/zoned-time'
import { notificationHref, type ShownNotification } from './href.ts'

type Props = {
  notifications: ShownNotification[]
  page: number
  page_size: number
  total: number
  unread: number
  now: string
  zone: string
  markAll: () => Promise<FormResult>
}

/** Notifications by day, whether or not an email was sent for them. */
export function NotificationList({ notifications, unread, now, zone, markAll, ...pages }: Props) {
  const days = Map.groupBy(notifications, ({ created_at }) => dayWords(created_at, now, zone))
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
      {pages.total === 0 ? (
        <EmptyState
          title="Nothing yet"
          description="You will see replies, bounces, complaints and stopped campaigns here."
        />
      ) : (
        <>
          {[...days].map(([day, ofDay]) => (
            <section key={day} aria-label={day} className="last-of-type:[&_li:last-child]:border-b-0">
              <h3 className="border-b border-border bg-bg px-4 py-1.5 text-xs font-medium text-muted">
                {day}
              </h3>
              <ul>
                {ofDay.map((one) => (
                  <Line key={one.notification_id} one={one} now={now} />
                ))}
              </ul>
            </section>
          ))}
          <Pagination path="/settings/notifications" query={{}} noun="notifications" {...pages} />
        </>
      )}
    </Panel>
  )
}

function Line({ one, now }: { one: ShownNotification; now: string }) {
  return (
    <li className="grid items-baseline gap-x-4 gap-y-1 border-b border-border px-4 py-2.5 text-sm sm:grid-cols-[minmax(0,1fr)_auto]">
      <Link href={notificationHref(one)} className="min-w-0 rounded-xs wrap-anywhere hover:underline">
        {one.text}
      </Link>
      <span className="flex items-center gap-2 text-xs text-muted sm:justify-end">
        {one.read_at === null && <Badge tone="accent">New</Badge>}
        <RelativeTime at={one.created_at} now={now} />
      </span>
    </li>
  )
}

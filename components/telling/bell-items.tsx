import { Link } from '#components/ui/controls/link'
import { RelativeTime } from '#components/ui/relative-time'
import { notificationHref, type ShownNotification } from './href.ts'

export type Latest = { items: ShownNotification[]; now: string }

type Props = { latest: Latest; isAllRead: boolean; close: () => void }

/** The latest notifications, newest first. */
export function BellItems({ latest, isAllRead, close }: Props) {
  if (latest.items.length === 0)
    return (
      <p className="px-4 py-6 text-sm text-muted">
        Nothing yet. You will see replies, bounces, complaints and stopped campaigns here.
      </p>
    )
  const isNew = (one: ShownNotification) => one.read_at === null && !isAllRead
  return (
    <ul>
      {latest.items.map((one) => (
        <li key={one.notification_id} className="border-b border-border last:border-0">
          <Link
            href={notificationHref(one)}
            onClick={close}
            className="grid gap-0.5 px-4 py-2.5 text-sm hover:bg-hover focus-visible:-outline-offset-2"
          >
            <span className={isNew(one) ? 'font-medium wrap-anywhere' : 'wrap-anywhere'}>
              {isNew(one) && <span className="sr-only">Unread: </span>}
              {one.text}
            </span>
            <span className="text-xs text-muted">
              <RelativeTime at={one.created_at} now={latest.now} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

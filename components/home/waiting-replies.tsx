import { Link } from '#components/ui/controls/link'
import { Panel } from '#components/ui/layout/panel'
import { RelativeTime } from '#components/ui/relative-time'
import type { InboxThread } from '#lib/contracts/inbox/inbox'

/** People whose last message nobody has answered, latest first. */
export function WaitingReplies({
  threads,
  total,
  now,
}: {
  threads: InboxThread[]
  total: number
  now: string
}) {
  return (
    <Panel
      title="Replies to answer"
      flush
      action={
        <Link
          href="/inbox?folder=needs_answer"
          className="rounded-xs text-sm text-accent-text hover:underline"
        >
          {total > threads.length ? `All ${total.toLocaleString('en')}` : 'Inbox'}
        </Link>
      }
    >
      {threads.length === 0 ? (
        <p className="px-4 py-6 text-sm text-muted">No replies waiting.</p>
      ) : (
        <ul>
          {threads.map((thread) => (
            <li key={thread.thread_id} className="border-b border-border last:border-0">
              <Link
                href={`/inbox/${thread.thread_id}?folder=needs_answer`}
                data-row-link
                className="grid grid-cols-[minmax(0,1fr)] gap-0.5 px-4 py-2.5 text-sm hover:bg-hover focus-visible:-outline-offset-2"
              >
                <span className="flex items-baseline justify-between gap-3">
                  <span className="min-w-0 truncate font-medium">
                    {thread.counterpart_name ?? thread.counterpart_address}
                  </span>
                  <span className="shrink-0 text-xs text-muted">
                    <RelativeTime at={thread.last_message_at} now={now} />
                  </span>
                </span>
                <span className="truncate text-muted">{thread.preview}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

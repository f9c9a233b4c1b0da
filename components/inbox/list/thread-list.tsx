import { clsx } from 'clsx'
import { Mail, MessagesSquare } from 'lucide-react'
import { NETWORK_LABELS } from '#components/senders/labels'
import { Avatar } from '#components/ui/avatar'
import { Checkbox } from '#components/ui/controls/checkbox'
import { Link } from '#components/ui/controls/link'
import { Badge, NameBadge } from '#components/ui/feedback/badge'
import { RelativeTime } from '#components/ui/relative-time'
import type { InboxThread } from '#lib/contracts/inbox/inbox'
import { SkipToAnswer } from '../composer/skip-to-answer.tsx'
import { IntentBadge } from '../intent.tsx'
import { LabelBadges } from '../label-badges.tsx'
import { KIND_LOOKS, type LabelColors } from '../looks.tsx'
import { ThreadRow } from '../optimism.tsx'
import { PresenceBadge } from '../presence.tsx'
import { type ChangeThreads, ThreadSelection } from './thread-selection.tsx'

type Props = {
  threads: InboxThread[]
  chosen: string | null
  now: string
  colors: LabelColors
  toHref: (id: string) => string
  /** Given if several conversations can be changed at once. */
  change?: ChangeThreads | undefined
}

export function ThreadList({ threads, chosen, now, colors, toHref, change }: Props) {
  const list = (
    <ul>
      {threads.map((thread) => (
        <ThreadRow key={thread.thread_id} id={thread.thread_id} isChosen={thread.thread_id === chosen}>
          <Link
            href={toHref(thread.thread_id)}
            scroll={false}
            data-row-link
            aria-current={thread.thread_id === chosen ? 'true' : undefined}
            className={clsx(
              'grid grid-cols-[auto_minmax(0,1fr)] gap-x-2.5 py-2.5 pr-3 text-sm focus-visible:-outline-offset-2',
              // Leaves room for the checkbox, which is a click target of its own.
              change ? 'ml-9 pl-1' : 'pl-3',
            )}
          >
            <Avatar name={thread.counterpart_name ?? (thread.counterpart_address || '?')} />
            <span className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-0.5">
              <Summary thread={thread} now={now} colors={colors} />
            </span>
          </Link>
          {thread.thread_id === chosen && <SkipToAnswer />}
          {change && <Tick thread={thread} />}
        </ThreadRow>
      ))}
    </ul>
  )
  if (!change) return list
  return (
    <ThreadSelection
      threads={threads.map(({ thread_id, unread, status }) => ({
        thread_id,
        unread,
        isArchived: status === 'done',
      }))}
      change={change}
    >
      {list}
    </ThreadSelection>
  )
}

/** Beside the row's link, not inside it. */
const Tick = ({ thread: { thread_id, counterpart_name, counterpart_address } }: { thread: InboxThread }) => (
  <Checkbox
    label={`Select ${counterpart_name ?? (counterpart_address || 'the conversation')}`}
    hideLabel
    data-select
    value={thread_id}
    autoComplete="off"
    className="absolute top-2.5 left-3 min-w-6"
  />
)

function Channel({ thread: { channel, provider } }: { thread: InboxThread }) {
  const Icon = channel === 'social' ? MessagesSquare : Mail
  const label = channel === 'social' ? (NETWORK_LABELS[provider ?? ''] ?? 'Chat') : 'Mail'
  return <Icon role="img" aria-label={label} className="size-3.5 shrink-0 text-muted" />
}

function Summary({ thread, now, colors }: { thread: InboxThread; now: string; colors: LabelColors }) {
  const { unread, counterpart_name, counterpart_address, last_message_at, subject, preview } = thread
  const kind = KIND_LOOKS[thread.last_kind]
  return (
    <>
      <span className="flex min-w-0 items-center justify-between gap-3">
        <span className={clsx('flex min-w-0 items-center gap-1.5', unread ? 'font-semibold' : 'font-medium')}>
          {unread && (
            <span className="size-2 shrink-0 rounded-full bg-accent">
              <span className="sr-only">Unread: </span>
            </span>
          )}
          <Channel thread={thread} />
          <span className="truncate">{counterpart_name ?? (counterpart_address || 'Unknown sender')}</span>
        </span>
        <span className="flex shrink-0 items-center gap-1.5 text-xs text-muted">
          {thread.assignee_name && (
            <span title={`Assigned to ${thread.assignee_name}`}>
              <Avatar name={thread.assignee_name} />
              <span className="sr-only">Assigned to {thread.assignee_name},</span>
            </span>
          )}
          <RelativeTime at={last_message_at} now={now} />
        </span>
      </span>
      {/* Chats have no subject. */}
      {thread.channel === 'email' && (
        <span className={clsx('truncate', unread ? 'font-medium' : 'text-muted')}>
          {subject || '(no subject)'}
        </span>
      )}
      <span className="truncate text-muted">{preview}</span>
      <span className="flex flex-wrap gap-1 pt-0.5 empty:hidden">
        <PresenceBadge thread_id={thread.thread_id} />
        {kind && <Badge tone={kind.tone}>{kind.label}</Badge>}
        <span className="flex min-w-0 gap-1 empty:hidden">
          <IntentBadge thread={thread} />
          {thread.campaign_name && <NameBadge>{thread.campaign_name}</NameBadge>}
        </span>
        <LabelBadges labels={thread.labels.filter((label) => label !== thread.last_kind)} colors={colors} />
      </span>
    </>
  )
}

import { FlaskConical } from 'lucide-react'
import { ActionButton } from '#components/ui/controls/action-button'
import type { FormResult } from '#components/ui/controls/action-form'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { type StatusMark, StatusPill } from '#components/ui/feedback/status-pill'
import { Panel } from '#components/ui/layout/panel'
import { RelativeTime } from '#components/ui/relative-time'
import type { NotificationMessage } from '#lib/contracts/telling/notifications'

type Tone = Parameters<typeof StatusPill>[0]['tone']

const STATES: Record<NotificationMessage['status'], { tone: Tone; mark: StatusMark; label: string }> = {
  queued: { tone: 'info', mark: 'pulse', label: 'Waiting' },
  sending: { tone: 'info', mark: 'pulse', label: 'On its way' },
  sent: { tone: 'success', mark: 'check', label: 'Sent' },
  failed: { tone: 'danger', mark: 'cross', label: 'Failed' },
  uncertain: { tone: 'warning', mark: 'half', label: 'Uncertain' },
}

type Props = { messages: NotificationMessage[]; now: string; test: () => Promise<FormResult> }

/** The last notification emails, with their content and outcome. */
export function MessageList({ messages, now, test }: Props) {
  return (
    <Panel
      title="Messages to you"
      action={
        <ActionButton size="sm" act={test}>
          <FlaskConical aria-hidden /> Send me a test
        </ActionButton>
      }
      flush
    >
      {messages.length === 0 ? (
        <EmptyState title="No message was sent yet" description="Send yourself a test to see one." />
      ) : (
        <ul>
          {messages.map((message) => (
            <li
              key={message.notification_message_id}
              className="border-b border-border px-4 py-2.5 last:border-0"
            >
              <details className="text-sm">
                <summary className="flex min-h-6 cursor-pointer flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-xs">
                  <span className="min-w-0 font-medium wrap-anywhere">{message.subject}</span>
                  <span className="flex flex-wrap items-center gap-2 text-muted">
                    <StatusPill {...STATES[message.status]} />
                    <RelativeTime at={message.created_at} now={now} />
                  </span>
                </summary>
                <p className="mt-2 text-muted wrap-anywhere">
                  {message.channel === 'email' ? 'Email' : 'Text message'} to {message.recipient}
                  {message.response && ` · ${message.response}`}
                </p>
                <p className="mt-2 whitespace-pre-wrap wrap-anywhere">{message.text}</p>
              </details>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

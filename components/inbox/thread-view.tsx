import { clsx } from 'clsx'
import { ACTION_DONE } from '#components/senders/labels'
import { Badge } from '#components/ui/feedback/badge'
import { Callout } from '#components/ui/feedback/callout'
import { ZonedTime } from '#components/ui/zoned-time'
import type { InboxMessage } from '#lib/contracts/inbox/inbox'
import { KIND_LOOKS } from './looks.tsx'

const FATES = {
  sending: { tone: 'info', label: 'On its way' },
  failed: { tone: 'danger', label: 'Not sent' },
  uncertain: { tone: 'warning', label: 'May have been sent' },
} as const

/** The conversation, oldest message first: what the campaign sent, what came in, what was answered. */
export function ThreadView({ messages, zone }: { messages: InboxMessage[]; zone: string }) {
  return (
    <ol className="grid gap-3">
      {messages.map((message) => (
        <li key={message.inbox_message_id ?? message.action_id}>
          <Message message={message} zone={zone} />
        </li>
      ))}
    </ol>
  )
}

function Message({ message, zone }: { message: InboxMessage; zone: string }) {
  const { direction, step, from_name, from_address, at, delivery_status, response, attachments } = message
  const kind = direction === 'in' ? KIND_LOOKS[message.kind] : undefined
  const fate = delivery_status && delivery_status !== 'sent' ? FATES[delivery_status] : null
  return (
    <article
      className={clsx(
        'min-w-0 rounded-md border bg-surface text-sm',
        direction === 'in' ? 'border-accent-border' : 'border-border',
      )}
    >
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1 px-4 pt-3">
        <h3 className="min-w-0 font-medium wrap-anywhere">
          {from_name ?? (from_address || (direction === 'in' ? 'Unknown sender' : 'You'))}
        </h3>
        {step && <Badge>Step {step}</Badge>}
        {kind && <Badge tone={kind.tone}>{kind.label}</Badge>}
        {fate && <Badge tone={fate.tone}>{fate.label}</Badge>}
        <span className="ml-auto text-xs text-muted">
          <ZonedTime at={at} zone={zone} /> {zone}
        </span>
      </header>
      {fate && response && <p className="px-4 pt-1 text-xs text-muted wrap-anywhere">{response}</p>}
      <Body message={message} />
      {attachments.length > 0 && (
        <ul className="flex flex-wrap gap-1.5 px-4 pb-3">
          {attachments.map((file, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two attachments may be alike in all that is known of them
            <li key={i}>
              <Badge>
                <span className="max-w-[60vw] truncate sm:max-w-80">
                  {file.filename ?? file.content_type}
                </span>{' '}
                · {Math.ceil(file.size_bytes / 1024).toLocaleString('en')} KB
              </Badge>
            </li>
          ))}
        </ul>
      )}
    </article>
  )
}

const UNREADABLE = {
  over_time: 'Reading it takes more than two seconds of CPU time.',
  over_memory: 'Reading it takes more memory than is allowed for one email.',
  died: 'It crashes the reader.',
} as const

function Body({ message }: { message: InboxMessage }) {
  if (message.unreadable)
    return (
      <div className="px-4 pt-2 pb-3">
        <Callout tone="warning" title="This email could not be read">
          {UNREADABLE[message.unreadable]} It may have been crafted to do so. Opener keeps it as received and
          does not read it again. To read it, open it in your mail program.
        </Callout>
      </div>
    )
  if (message.html && message.direction === 'in') {
    // Foreign HTML stands in a frame without scripts, forms or our origin; mail is written for white paper.
    return (
      <iframe
        title={`Message of ${message.from_address}`}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        srcDoc={message.html}
        className="mt-2 h-72 w-full rounded-b-md border-0 bg-[white] [color-scheme:light]"
      />
    )
  }
  return (
    <p className="px-4 pt-2 pb-3 whitespace-pre-wrap wrap-anywhere">
      {message.text.trim() || saidNothing(message)}
    </p>
  )
}

/** A visit has no words; a mail should have had some. */
const saidNothing = ({ action_type }: InboxMessage) => ACTION_DONE[action_type ?? ''] ?? '(no text)'

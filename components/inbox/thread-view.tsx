import { clsx } from 'clsx'
import type { AttachActs } from '#components/messages/attached/use-attached'
import { ACTION_DONE } from '#components/senders/labels'
import { Avatar } from '#components/ui/avatar'
import type { FormAction } from '#components/ui/controls/action-form'
import { Badge } from '#components/ui/feedback/badge'
import { Callout } from '#components/ui/feedback/callout'
import type { Act } from '#components/ui/use-action'
import { ZonedTime } from '#components/ui/zoned-time'
import type { InboxMessage, InboxThreadDetail } from '#lib/contracts/inbox/inbox'
import type { InboxNote } from '#lib/contracts/inbox/inbox-notes'
import { newText, stepText } from '#lib/domain/inbox/new-text'
import { Addressed } from './addressed.tsx'
import { FileBadges } from './files/file-badges.tsx'
import { ForwardButton } from './forward/forward-button.tsx'
import { KIND_LOOKS } from './looks.tsx'
import { Note } from './note.tsx'

const FATES = {
  scheduled: { tone: 'info', label: 'Scheduled' },
  sending: { tone: 'info', label: 'On its way' },
  failed: { tone: 'danger', label: 'Not sent' },
  uncertain: { tone: 'warning', label: 'May have been sent' },
} as const

type Props = {
  thread: Pick<InboxThreadDetail, 'thread_id' | 'channel' | 'counterpart_address' | 'counterpart_name'>
  messages: InboxMessage[]
  notes: { note: InboxNote; remove: Act | null }[]
  zone: string
  /** Forwards a message of an email conversation; null if nothing can be sent. */
  forward: { act: (inbox_message_id: string) => FormAction; attach: AttachActs } | null
}

/** The conversation, oldest message first: campaign messages, received messages, replies and notes. */
export function ThreadView({ thread, messages, notes, zone, forward }: Props) {
  const entries = [
    ...messages.map((message) => ({
      key: message.inbox_message_id ?? message.action_id,
      at: message.at,
      shown: <Message thread={thread} message={message} zone={zone} forward={forward} />,
    })),
    ...notes.map(({ note, remove }) => ({
      key: note.note_id,
      at: note.created_at,
      shown: <Note note={note} zone={zone} remove={remove} />,
    })),
  ]
  return (
    <ol className="grid gap-3">
      {entries
        .toSorted((a, b) => a.at.localeCompare(b.at))
        .map(({ key, shown }) => (
          <li key={key}>{shown}</li>
        ))}
    </ol>
  )
}

type Said = Pick<Props, 'thread' | 'zone' | 'forward'> & { message: InboxMessage }

function Message({ thread, message, zone, forward }: Said) {
  const { direction, step, from_name, from_address, author_name, at, delivery_status } = message
  const { response, attachments } = message
  // Mail does not always name its writer; the lead's list does.
  const writer = from_name ?? (from_address === thread.counterpart_address ? thread.counterpart_name : null)
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
        <Avatar name={writer ?? from_address} />
        <h3 className="min-w-0 font-medium wrap-anywhere">
          {writer ?? (from_address || (direction === 'in' ? 'Unknown sender' : 'You'))}
        </h3>
        {author_name && author_name !== from_name && (
          <span className="text-muted wrap-anywhere">by {author_name}</span>
        )}
        {message.kind === 'forward' && <Badge>Forwarded</Badge>}
        {message.kind === 'own_message' && <Badge>Written elsewhere</Badge>}
        {step && <Badge>Step {step}</Badge>}
        {kind && <Badge tone={kind.tone}>{kind.label}</Badge>}
        {fate && <Badge tone={fate.tone}>{fate.label}</Badge>}
        <span className="ml-auto flex min-w-0 items-center gap-2 text-xs text-muted">
          <span>
            <ZonedTime at={at} zone={zone} /> {zone}
          </span>
          <Forward message={message} forward={forward} />
        </span>
      </header>
      <Addressed message={message} />
      {fate && response && <p className="px-4 pt-1 text-xs text-muted wrap-anywhere">{response}</p>}
      <Body message={message} />
      <FileBadges files={attachments} hrefOf={fileHref(thread, message)} />
    </article>
  )
}

/** Files of campaign messages are in their steps, and files of chats at the network. */
const fileHref = (
  { channel, thread_id }: Props['thread'],
  { inbox_message_id, unreadable }: InboxMessage,
): ((position: number) => string) | undefined =>
  channel === 'email' && inbox_message_id && !unreadable
    ? (position) => `/inbox/${thread_id}/files/${inbox_message_id}/${position}`
    : undefined

function Forward({ message, forward }: Pick<Props, 'forward'> & { message: InboxMessage }) {
  const { inbox_message_id, unreadable, attachments, attachments_kept, from_name, from_address } = message
  if (!forward || !inbox_message_id || unreadable) return null
  return (
    <ForwardButton
      inbox_message_id={inbox_message_id}
      of={from_name ?? from_address}
      files={attachments}
      areKept={attachments_kept}
      attach={forward.attach}
      forward={forward.act(inbox_message_id)}
    />
  )
}

const CRAFTED = 'It may be malicious. Opener keeps it as received and does not try again.'
const UNREADABLE = {
  over_time: `It takes more than two seconds of CPU time to read. ${CRAFTED}`,
  over_memory: `It needs more memory than one email may use. ${CRAFTED}`,
  died: `It crashes the reader. ${CRAFTED}`,
  refused: 'Its mail server refuses to hand it over.',
} as const

function Body({ message }: { message: InboxMessage }) {
  if (message.unreadable)
    return (
      <div className="px-4 pt-2 pb-3">
        <Callout tone="warning" title="This email could not be read">
          {UNREADABLE[message.unreadable]} To read it, open it in your mail program.
        </Callout>
      </div>
    )
  const isOurs = message.direction === 'out' && message.step !== null
  const { written, rest } = foldText(message.text, isOurs ? stepText : newText)
  if (message.html && message.direction === 'in') {
    // Untrusted HTML is shown in a frame without scripts, forms or our origin, on white as mail expects.
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
    <div className="px-4 pt-2 pb-3">
      <p className="whitespace-pre-wrap wrap-anywhere">{written || saidNothing(message)}</p>
      {rest && (
        <details className="mt-2 text-muted">
          <summary className="w-fit cursor-pointer rounded-sm px-1.5 text-xs hover:bg-hover">
            {isOurs ? 'Unsubscribe line' : 'Quoted text and signature'}
          </summary>
          <p className="mt-1 border-l-2 border-border pl-3 whitespace-pre-wrap wrap-anywhere">{rest}</p>
        </details>
      )}
    </div>
  )
}

/** Separates the author's text from quoted text; if there is no own text, everything is shown. */
function foldText(text: string, read: (text: string) => string): { written: string; rest: string } {
  const whole = text.replaceAll('\r\n', '\n').trim()
  const written = read(whole)
  if (written === '' || !whole.startsWith(written)) return { written: whole, rest: '' }
  return { written, rest: whole.slice(written.length).trim() }
}

/** A profile visit has no text; an email should have one. */
const saidNothing = ({ action_type }: InboxMessage) => ACTION_DONE[action_type ?? ''] ?? '(no text)'

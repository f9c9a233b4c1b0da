import type { ReactNode } from 'react'
import { StatusPill } from '#components/ui/feedback/status-pill'
import { Panel } from '#components/ui/layout/panel'
import { RelativeTime } from '#components/ui/relative-time'
import type { Mailbox } from '#lib/contracts/senders/mailbox'

/** Used for mailboxes and accounts. */
export function MailboxStatus({ status }: { status: 'connected' | 'failing' | 'disconnected' }) {
  if (status === 'connected') return <StatusPill tone="success" mark="check" label="Connected" />
  if (status === 'failing') return <StatusPill tone="danger" mark="cross" label="Cannot send" />
  return <StatusPill tone="danger" mark="cross" label="Disconnected" />
}

type State = { works: boolean; said: string | null; at: ReactNode } | null

type Props = { title: string; description: string; state: State; children: ReactNode }

/** One server of a mailbox: its last known state above the settings that would fix it. */
export const ServerPanel = ({ title, description, state, children }: Props) => (
  <Panel
    title={title}
    description={
      <>
        {description} {state?.at}
      </>
    }
    action={
      state &&
      (state.works ? (
        <StatusPill tone="success" mark="check" label="Works" />
      ) : (
        <StatusPill tone="danger" mark="cross" label="Does not work" />
      ))
    }
  >
    {state?.said && <p className="mb-4 text-sm text-danger wrap-anywhere">{state.said}</p>}
    {children}
  </Panel>
)

/** Null if it was never tried. */
export function sendingState({ failing_cause, last_error, last_checked_at }: Mailbox, now: string): State {
  // It could send, but waits until incoming mail can be read.
  const works = failing_cause === null || failing_cause === 'unreadable'
  if (works && !last_checked_at) return null
  const at = last_checked_at && (
    <>
      Tested <RelativeTime at={last_checked_at} now={now} />.
    </>
  )
  return { works, said: works ? null : last_error, at }
}

export function readingState(
  { imap, inbox_error, inbox_polled_at, inbox_failing_since }: Mailbox,
  now: string,
): State {
  if (!imap || !(inbox_polled_at ?? inbox_error)) return null
  if (inbox_error)
    return {
      works: false,
      said: inbox_error,
      at: inbox_failing_since && (
        <>
          Stopped <RelativeTime at={inbox_failing_since} now={now} />.
        </>
      ),
    }
  const at = inbox_polled_at && (
    <>
      Read <RelativeTime at={inbox_polled_at} now={now} />.
    </>
  )
  return { works: true, said: null, at }
}

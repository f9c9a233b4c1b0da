import { pool } from '#lib/db/client'
import { type Polled, pollInboxes } from '#lib/services/inbox/poll'
import { inboxProvider } from '#lib/services/inbox/provider'
import { isStopping } from '#lib/services/instance/stopping'

/** One call of a background function stays well below the time that a host gives it. */
const ROUND_MS = 40_000

/** Reads every mailbox that is due, as far as the time goes; the next minute goes on with those longest unread. */
export async function pollRound(): Promise<Polled> {
  const until = new Date(Date.now() + ROUND_MS)
  return pollInboxes({
    pool: pool(),
    imap: inboxProvider(),
    clock: () => new Date(),
    until,
    stopping: isStopping,
  })
}

/** The same for single mailboxes, as soon as something came in. */
export async function pollMailboxes(mailboxIds: string[]): Promise<Polled> {
  const until = new Date(Date.now() + ROUND_MS)
  const clock = () => new Date()
  return pollInboxes({
    pool: pool(),
    imap: inboxProvider(),
    clock,
    until,
    stopping: isStopping,
    mailbox_ids: mailboxIds,
  })
}

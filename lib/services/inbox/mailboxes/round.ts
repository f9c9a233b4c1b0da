import { pool } from '#lib/db/client'
import { listenOnwards } from '#lib/services/inbox/idling/process'
import { type Polled, type PollOptions, pollInboxes } from '#lib/services/inbox/mailboxes/poll'
import { inboxProvider } from '#lib/services/inbox/mailboxes/provider'
import { createSentFinder } from '#lib/services/inbox/sent/find-sent'
import { ringQuietly, type Worked } from '#lib/services/instance/bells'
import { roundEnd } from '#lib/services/instance/round-time'
import { isStopping } from '#lib/services/instance/stopping'
import { aliasReaders } from '#lib/services/senders/grants/aliases'
import type { DispatchOptions } from '#lib/services/sending/run'

type Round = Polled & Worked

async function round(which: Pick<PollOptions, 'mailbox_ids' | 'due_only'>): Promise<Round> {
  const until = roundEnd(new Date())
  const clock = () => new Date()
  const servers = { imap: inboxProvider(), aliases: aliasReaders() }
  const options = { pool: pool(), ...servers, clock, until, stopping: isStopping, ...which }
  const polled = await pollInboxes(options)
  await listenOnwards()
  return { ...polled, goes_on: polled.more }
}

/**
 * Reads the mailboxes that are due until the time is up; the next wake-up continues with those longest
 * unread.
 */
export const pollRound = () => round({ due_only: true })

/** Reads all mailboxes, whether due or not. */
export const pollEveryMailbox = () => round({})

/** Reads the mailboxes that must be read before a follow-up is sent. */
const readMailboxes = (mailboxIds: string[]) => round({ mailbox_ids: mailboxIds })

/** The inbox as used for sending: reads replies, and checks whether an uncertain mail was sent. */
export const mailboxes: Pick<DispatchOptions, 'read' | 'find'> = {
  read: readMailboxes,
  find: (mailboxId, mark) =>
    createSentFinder({ pool: pool(), imap: inboxProvider(), clock: () => new Date() })(mailboxId, mark),
}

/** Reads single mailboxes at once, when mail arrived or a user asks for it. */
export async function pollMailboxes(mailboxIds: string[]): Promise<Round> {
  const polled = await readMailboxes(mailboxIds)
  await ringQuietly(new Date(), { pause_ms: 0 })
  return polled
}

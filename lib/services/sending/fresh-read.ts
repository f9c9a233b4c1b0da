import type { Pool } from 'pg'
import { FRESH_MS } from '#lib/domain/inbox/poll-cadence'
import type { MailboxRow } from '#lib/services/senders/mailbox-rows'
import { noteUnreadable } from '#lib/services/senders/sender-failures'
import type { WaitingLead } from '#lib/services/sending/load'

/** Reads new mail of these mailboxes and records when it did, or what went wrong. */
export type ReadMailboxes = (mailboxIds: string[]) => Promise<unknown>

type Read = Pick<MailboxRow, 'mailbox_id' | 'is_read' | 'inbox_polled_at' | 'inbox_error' | 'inbox_behind'>
type FollowUp = { sender_id: string; lead: Pick<WaitingLead, 'is_new' | 'mailbox_id' | 'thread_message_id'> }

/** Whether all incoming mail was read recently. */
export const isFresh = (
  { inbox_polled_at, inbox_error, inbox_behind }: Omit<Read, 'mailbox_id' | 'is_read'>,
  now: Date,
): boolean =>
  !inbox_error && !inbox_behind && !!inbox_polled_at && inbox_polled_at.getTime() >= now.getTime() - FRESH_MS

/**
 * The readable mailboxes that may hold an unread reply from one of these leads. Only follow-ups matter: nobody replies before the
 * first step.
 */
export function unreadMailboxes(actions: FollowUp[], mailboxes: Read[], now: Date): string[] {
  const known = new Map(mailboxes.map((mailbox) => [mailbox.mailbox_id, mailbox]))
  const asked = actions.flatMap(({ lead, sender_id }) => {
    // A lead that lost its mailbox was given another one, which reads its replies from now on.
    const kept = lead.mailbox_id ?? (lead.thread_message_id ? sender_id : '')
    const mailbox = lead.is_new ? undefined : known.get(kept)
    return mailbox?.is_read && !isFresh(mailbox, now) ? [mailbox.mailbox_id] : []
  })
  return [...new Set(asked)]
}

/**
 * Reads mailboxes before their follow-ups leave. A mailbox that cannot be read does not send until it can: it is treated as
 * unreachable, and its leads keep their places. One with more mail than a single read takes is read again.
 */
export async function readFirst(
  pool: Pool,
  read: ReadMailboxes,
  mailboxIds: string[],
  clock: () => Date,
): Promise<void> {
  let said = 'Its incoming mail could not be read.'
  await read(mailboxIds).catch((error: unknown) => {
    said = error instanceof Error ? error.message : said
  })
  const { rows } = await pool.query<Read>(
    'SELECT mailbox_id, inbox_polled_at, inbox_error, inbox_behind FROM mailboxes WHERE mailbox_id = ANY ($1) ORDER BY mailbox_id',
    [mailboxIds],
  )
  for (const row of rows)
    if (!isFresh({ ...row, inbox_behind: false }, clock()))
      await noteUnreadable(pool, row.mailbox_id, row.inbox_error ?? said, clock())
}

/** Keeps track of campaigns whose mailboxes are being read. They are not claimed meanwhile, and nobody waits for them. */
export function createReads(pool: Pool, read: ReadMailboxes | undefined, clock: () => Date) {
  const underway = new Map<string, Promise<void>>()
  const failures: unknown[] = []
  return {
    /** Whether follow-ups require a recent read at all. */
    isAsked: read !== undefined,
    campaigns: () => [...underway.keys()],
    failures,
    begin: (campaignId: string, mailboxIds: string[]) => {
      if (!read) return
      const reading = readFirst(pool, read, mailboxIds, clock)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => underway.delete(campaignId))
      underway.set(campaignId, reading)
    },
    /** Resolves when one of the reads has finished, or at once if none is under way. */
    next: () => Promise.race(underway.size > 0 ? underway.values() : [undefined]),
    all: () => Promise.all(underway.values()),
  }
}

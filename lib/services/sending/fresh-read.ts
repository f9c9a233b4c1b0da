import type { Pool } from 'pg'
import { FRESH_MS } from '#lib/domain/inbox/poll-cadence'
import type { MailboxRow } from '#lib/services/senders/mailbox-rows'
import { noteUnreadable } from '#lib/services/senders/sender-failures'
import type { WaitingLead } from '#lib/services/sending/load'

/** Reads what came into these mailboxes, and keeps when it did so and what stood in the way. */
export type ReadMailboxes = (mailboxIds: string[]) => Promise<unknown>

type Read = Pick<MailboxRow, 'mailbox_id' | 'is_read' | 'inbox_polled_at' | 'inbox_error' | 'inbox_behind'>
type FollowUp = { sender_id: string; lead: Pick<WaitingLead, 'is_new' | 'mailbox_id' | 'thread_message_id'> }

/** Whether all that had come in was read lately. */
export const isFresh = (
  { inbox_polled_at, inbox_error, inbox_behind }: Omit<Read, 'mailbox_id' | 'is_read'>,
  now: Date,
): boolean =>
  !inbox_error && !inbox_behind && !!inbox_polled_at && inbox_polled_at.getTime() >= now.getTime() - FRESH_MS

/**
 * The mailboxes in which an answer of one of these leads may lie that nobody has read: of follow-ups, and only where it can be
 * read at all. Nobody answers before the first step.
 */
export function unreadMailboxes(actions: FollowUp[], mailboxes: Read[], now: Date): string[] {
  const known = new Map(mailboxes.map((mailbox) => [mailbox.mailbox_id, mailbox]))
  const asked = actions.flatMap(({ lead, sender_id }) => {
    // A lead that was mailed before and lost its mailbox is taken by another one, which reads for it from now on.
    const kept = lead.mailbox_id ?? (lead.thread_message_id ? sender_id : '')
    const mailbox = lead.is_new ? undefined : known.get(kept)
    return mailbox?.is_read && !isFresh(mailbox, now) ? [mailbox.mailbox_id] : []
  })
  return [...new Set(asked)]
}

/**
 * Has mailboxes read before their follow-ups leave. One that cannot be read does not send until it can: it waits as one that
 * cannot be reached, and none of its leads loses its place. One that holds more than a reading takes is asked for again.
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

/** The campaigns whose mailboxes are being read: nobody waits for them, and they are not claimed meanwhile. */
export function createReads(pool: Pool, read: ReadMailboxes | undefined, clock: () => Date) {
  const underway = new Map<string, Promise<void>>()
  const failures: unknown[] = []
  return {
    /** Whether follow-ups are asked about at all. */
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
    /** Resolves when one of them has been read; at once where none is left. */
    next: () => Promise.race(underway.size > 0 ? underway.values() : [undefined]),
    all: () => Promise.all(underway.values()),
  }
}

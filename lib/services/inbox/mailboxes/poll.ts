import type { Pool } from 'pg'
import { prepared } from '#lib/db/prepared'
import { nextPoll } from '#lib/domain/inbox/poll-cadence'
import { fairTurns } from '#lib/domain/sending/fair-turns'
import { env } from '#lib/env'
import type { InboxOutcome, InboxProvider, InboxReading } from '#lib/providers/inbox/port'
import type { InboundMailbox } from '#lib/services/inbox/arrived-mail'
import {
  advance,
  findKept,
  findLatest,
  findLooked,
  loadCursors,
  noteRefused,
} from '#lib/services/inbox/mailboxes/cursors'
import { type ReadableMailbox, readFrom } from '#lib/services/inbox/mailboxes/provider'
import { storeArrivals } from '#lib/services/inbox/mailboxes/store-arrivals'
import { tellOfUnread, type Unread } from '#lib/services/inbox/mailboxes/tell-unread'
import { createPicker } from '#lib/services/inbox/sent/pick-sent'
import { settleSent } from '#lib/services/inbox/sent/settle-sent'
import type { MailReader } from '#lib/services/reading/mail'
import type { Vendors } from '#lib/services/senders/grants/access-token'
import { type AliasReaders, keepAliases } from '#lib/services/senders/grants/aliases'
import { keepWatch, type Watchers } from '#lib/services/senders/grants/watches'
import { noteReadable } from '#lib/services/senders/sender-failures'
import { waitingCopies } from '#lib/services/senders/sent/sent-copies'

const MINUTE_MS = 60_000
/**
 * Mailboxes read at once: each uses one connection to its server, and one to the database while a mail is
 * stored.
 */
const CONCURRENCY = 6
/** Mails per turn, so that a full mailbox does not delay the others. */
const BATCH = 100
/** A server that refused is asked less often, since some lock accounts after too many attempts. */
const RETRY_MS = 10 * MINUTE_MS
/** Mail older than the mailbox is not for us; two days allow for all differences of clocks and time zones. */
const BEFORE_MS = 2 * 24 * 60 * MINUTE_MS
const FIRST_LOOK_MS = 7 * 24 * 60 * MINUTE_MS

export type PollOptions = {
  pool: Pool
  imap: InboxProvider
  clock: () => Date
  /** No mailbox is started after this instant. */
  until: Date
  /** Nor once this returns true because the process is about to end. */
  stopping?: () => boolean
  /** Where mail is parsed. Default: the instance's own reader. */
  reader?: MailReader
  /** Renews OAuth tokens. Default: the vendors configured in the environment. */
  vendors?: Vendors
  /** The vendors that push notifications of new mail. Default: those configured in the environment. */
  watchers?: Watchers
  /** Lists the addresses of a mailbox at its vendor; absent: none is asked. */
  aliases?: AliasReaders
  /** Only these mailboxes; absent: all. */
  mailbox_ids?: string[]
  /** Only mailboxes that are due. */
  due_only?: boolean
}

export type Polled = { mailboxes: number; mails: number; failed: number; more: boolean }

type Row = InboundMailbox &
  ReadableMailbox & {
    smtp: { host: string; port: number }
    aliases_read_at: Date | null
    send_as: string | null
    created_at: Date
    sent_folder: string | null
    sent_polled_at: Date | null
    last_action_at: Date | null
    inbox_arrived_at: Date | null
  }

/**
 * Reads new mail of the mailboxes, several at a time. Workspaces take turns; each one's longest unread
 * mailbox comes first.
 */
export async function pollInboxes(options: PollOptions): Promise<Polled> {
  const due = await dueMailboxes(options)
  const result: Polled = { mailboxes: 0, mails: 0, failed: 0, more: false }
  const turns = fairTurns(due, ({ workspace_id }) => workspace_id)
  const faults: unknown[] = []
  const worker = async () => {
    for (let mailbox = turns.take(); mailbox; mailbox = turns.take()) {
      if (options.clock() >= options.until || options.stopping?.()) {
        result.more = true
        return
      }
      const outcome = await readMailbox(options, mailbox, (fault) => faults.push(fault))
      turns.done(mailbox)
      result.mailboxes += 1
      result.mails += outcome.read
      if (!outcome.ok) result.failed += 1
      else if (outcome.more) result.more = true
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  // Errors on our side are thrown once every other mailbox was read.
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} mailboxes could not be read`)
  return result
}

/** SQL: whether a mailbox can be read; $1 is the port of the sandbox. */
export const READABLE = `(imap IS NOT NULL
  OR ($1::int IS NOT NULL AND smtp->>'host' = '127.0.0.1' AND (smtp->>'port')::int = $1))`

async function dueMailboxes({ pool, clock, mailbox_ids, due_only }: PollOptions): Promise<Row[]> {
  const now = clock().getTime()
  const sandbox = env().SANDBOX_SMTP_PORT ?? null
  // A mailbox that cannot be read is never due, whatever was sent from it.
  if (due_only)
    await pool.query(
      `UPDATE mailboxes SET inbox_due_at = NULL WHERE inbox_due_at <= $2 AND NOT ${READABLE}`,
      [sandbox, clock()],
    )
  const { rows } = await pool.query<Row>(
    `SELECT mailbox_id, workspace_id, address, aliases, aliases_read_at, send_as, smtp, imap, imap_password,
       EXISTS (SELECT 1 FROM mailbox_grants g WHERE g.mailbox_id = mailboxes.mailbox_id) AS by_oauth, created_at,
       sent_folder, sent_polled_at, last_action_at, inbox_arrived_at
     FROM mailboxes
     WHERE ${READABLE}
       AND ($2::uuid[] IS NULL OR mailbox_id = ANY ($2))
       AND CASE WHEN $4 THEN inbox_due_at <= $5
         ELSE $2::uuid[] IS NOT NULL OR inbox_polled_at IS NULL OR inbox_error IS NULL OR inbox_polled_at < $3 END
     ORDER BY inbox_polled_at NULLS FIRST, mailbox_id`,
    [sandbox, mailbox_ids ?? null, new Date(now - RETRY_MS), due_only ?? false, clock()],
  )
  return rows
}

async function readMailbox(
  options: PollOptions,
  mailbox: Row,
  onFault: (fault: unknown) => void,
): Promise<InboxOutcome> {
  const { pool, clock, reader } = options
  await noteBegin(pool, mailbox, clock())
  const cursors = await loadCursors(pool, mailbox.mailbox_id)
  const reading: InboxReading = {
    findCursor: (folder) => cursors.get(folder) ?? null,
    findKept: (folder, validity, uids) => findKept(pool, mailbox.mailbox_id, folder, validity, uids),
    refuse: (place) => noteRefused(pool, mailbox.mailbox_id, place, clock()),
    findLatest: (folder) => findLatest(pool, mailbox.mailbox_id, folder),
    since: new Date(mailbox.created_at.getTime() - BEFORE_MS),
    limit: BATCH,
    keep: (mails) => storeArrivals(pool, mailbox, mails, clock(), reader),
    advance: (folder, cursor) => advance(pool, mailbox.mailbox_id, folder, cursor, clock()),
    copies: await waitingCopies(pool, mailbox.mailbox_id, clock()),
    sent: {
      folder: mailbox.sent_folder,
      since: sentSince(mailbox, clock()),
      findLooked: (folder) => findLooked(pool, mailbox.mailbox_id, folder),
      pick: createPicker(pool, mailbox, reader),
    },
  }
  const outcome = await readFrom({ ...options, now: clock() }, mailbox, reading).catch(
    (fault: unknown): InboxOutcome => {
      // The error is ours, not the server's: the mail stays unread and is stored on the next turn.
      onFault(fault)
      return {
        ok: false,
        reason: 'lost',
        error: 'An email could not be processed. It will be retried.',
        read: 0,
      }
    },
  )
  await noteRead(pool, mailbox, outcome, clock())
  if (outcome.ok) {
    await settleSent({ ...options, now: clock() }, mailbox)
    if (mailbox.by_oauth) {
      await keepWatch({ ...options, now: clock() }, mailbox)
      await keepAliases({ ...options, now: clock() }, mailbox)
    }
  }
  return outcome
}

/**
 * Mail sent before the mailbox was connected is ignored. For mailboxes older than the reading of Sent
 * folders, it starts with the last few days.
 */
function sentSince({ created_at, sent_polled_at }: Row, now: Date): Date {
  const first = sent_polled_at ? 0 : now.getTime() - FIRST_LOOK_MS
  return new Date(Math.max(created_at.getTime(), first))
}

const dueAfter = ({ last_action_at, inbox_arrived_at }: Row, failed: boolean, now: Date): Date | null => {
  const times = [last_action_at, inbox_arrived_at].flatMap((at) => (at ? [at.getTime()] : []))
  const next = nextPoll({ since: times.length > 0 ? Math.max(...times) : null, failed }, now.getTime())
  return next === null ? null : new Date(next)
}

/**
 * Moves the mailbox's next turn before its server is asked, so that a process that dies or waits does not
 * cause another wake-up for it.
 */
async function noteBegin(pool: Pool, mailbox: Row, now: Date): Promise<void> {
  await pool.query(
    prepared('UPDATE mailboxes SET inbox_due_at = $2 WHERE mailbox_id = $1', [
      mailbox.mailbox_id,
      dueAfter(mailbox, false, now),
    ]),
  )
}

/** Does not override the due time set by a send in the meantime. */
async function noteRead(pool: Pool, mailbox: Row, outcome: InboxOutcome, now: Date): Promise<void> {
  const arrived = outcome.read > 0 ? now : mailbox.inbox_arrived_at
  const isMore = outcome.ok && outcome.more
  const { rows } = await pool.query<Unread>(
    prepared(
      `UPDATE mailboxes SET inbox_polled_at = $2, inbox_error = $3::text, inbox_arrived_at = $4,
         inbox_failing_since = CASE WHEN $3::text IS NULL THEN NULL ELSE coalesce(inbox_failing_since, $2) END,
         inbox_behind = $7, sent_polled_at = CASE WHEN $8 THEN $2 ELSE sent_polled_at END, inbox_due_at = CASE WHEN last_action_at IS NOT DISTINCT FROM $6 THEN $5 ELSE least(inbox_due_at, $5) END
       WHERE mailbox_id = $1
       RETURNING workspace_id, mailbox_id, address, status::text, inbox_error, inbox_failing_since`,
      [
        mailbox.mailbox_id,
        now,
        outcome.ok ? null : outcome.error.slice(0, 1_000),
        arrived,
        isMore ? now : dueAfter({ ...mailbox, inbox_arrived_at: arrived }, !outcome.ok, now),
        mailbox.last_action_at,
        isMore,
        outcome.ok && outcome.looked === true,
      ],
    ),
  )
  if (outcome.ok) await noteReadable(pool, mailbox.mailbox_id, now)
  else for (const row of rows) await tellOfUnread(pool, row, outcome.reason, now)
}
